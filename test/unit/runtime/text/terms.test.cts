import { countTerms, termsOf } from '../../../../nodes/runtime/text/terms';

const names = (question: string) => termsOf(question).map(({ text }) => text);

/** How often the terms of a question stand in each text. */
const counts = async (question: string, ...texts: string[]) => {
	const found = await countTerms(termsOf(question), texts);
	const ofText = (place: number) => found.reduce((sum, term) => sum + (term.get(place) ?? 0), 0);
	return texts.map((_, place) => ofText(place));
};

describe('The terms of a question', () => {
	it.each<[string, string[]]>([
		['When is the next spring tide?', ['when', 'the', 'next', 'spring', 'tide']],
		['tides TIDES tide', ['tide']],
		['is it on', ['is', 'it', 'on']],
		['ｆｕｌｌ ｗｉｄｔｈ', ['full', 'width']],
		['潮汐发电', ['潮汐', '汐发', '发电']],
		['海', ['海']],
		['prix du thé', ['prix', 'thé']],
		['?!', []],
	])('are found in %s', (question, terms) => {
		expect(names(question)).toEqual(terms);
	});
});

describe('A term', () => {
	it.each<[string, string, number]>([
		['tide', 'Tide, tides and tidewater; ebb-tide', 3],
		['tides', 'the tide', 1],
		['api', 'An API of rapid APIs', 2],
		['storage', 'STORAGE\nstorages', 2],
		['发电', '潮汐发电站和风力发电', 2],
		['ábra', 'Ábra, abra', 1],
		['a.b(', 'a.b(', 2],
		['cat', 'concatenate', 0],
		['ハハ', 'ハハハ', 2],
		['ภาษา', 'ภาษาไทย', 3],
		['port porta', 'Ports, portas', 3],
		['?!', 'What?!', 0],
	])('is counted: %s in %s', async (question, text, places) => {
		expect(await counts(question, text)).toEqual([places]);
	});
});

it('is counted in each text separately', async () => {
	expect(
		await counts('tide range', 'A tide', '', 'the Range of ﬁne tides', 'ran', 'ge range'),
	).toEqual([1, 0, 2, 0, 1]);
});
