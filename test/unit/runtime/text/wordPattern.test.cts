import { wordPattern } from '../../../../nodes/runtime/text/wordPattern';

describe('A pattern of words', () => {
	it.each<[string[], string, string[]]>([
		[['tide', 'ebb'], 'Tides and EBB', ['Tide', 'EBB']],
		[['tide', 'tidewater'], 'tidewater', ['tidewater']],
		[['潮汐', 'ภา'], '潮汐 ภาษา', ['潮汐', 'ภา']],
	])('of %j finds in %s', (words, text, found) => {
		expect(text.match(wordPattern(words))).toEqual(found);
	});

	it.each([...'$()*+.?[\\]^{|}'])('throws for a word with %s', (sign) => {
		expect(() => wordPattern(['tide', `a${sign}b`])).toThrow('sign of patterns');
	});
});
