import { eachPlace, normalized, termsOf } from '../../../../nodes/runtime/passages/terms';

const names = (question: string) => termsOf(question).map(({ text }) => text);

/** How often the terms of a question stand in a text. */
const count = (question: string, text: string) => {
	let places = 0;
	for (const term of termsOf(question)) eachPlace(term, normalized(text), () => (places += 1));
	return places;
};

describe('the terms of a question', () => {
	it.each<[string, string[]]>([
		['When is the next spring tide?', ['when', 'the', 'next', 'spring', 'tide']],
		['tides TIDES tide', ['tide']],
		['is it on', ['is', 'it', 'on']],
		['ｆｕｌｌ ｗｉｄｔｈ', ['full', 'width']],
		['潮汐发电', ['潮汐', '汐发', '发电']],
		['海', ['海']],
		['prix du thé', ['prix', 'thé']],
		['?!', []],
	])('%s', (question, terms) => {
		expect(names(question)).toEqual(terms);
	});
});

describe('a term', () => {
	it.each<[string, string, number]>([
		['tide', 'Tide, tides and tidewater; ebb-tide', 3],
		['tides', 'the tide', 1],
		['api', 'An API of rapid APIs', 2],
		['storage', 'STORAGE\nstorages', 2],
		['发电', '潮汐发电站和风力发电', 2],
		['ábra', 'Ábra, abra', 1],
		['a.b(', 'a.b(', 2],
		['cat', 'concatenate', 0],
	])('%s stands in %s', (question, text, places) => {
		expect(count(question, text)).toBe(places);
	});
});
