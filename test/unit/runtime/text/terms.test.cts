import { countTerms, termsOf } from '../../../../nodes/runtime/text/terms';

/** How often the terms of a question stand in each text. */
const counts = async (question: string, ...texts: string[]) => {
	const found = [...(await countTerms(termsOf(question), texts)).values()];
	const ofText = (place: number) => found.reduce((sum, term) => sum + (term.get(place) ?? 0), 0);
	return texts.map((_, place) => ofText(place));
};

describe('The terms of a question', () => {
	it.each<[string, string[]]>([
		['When is the next spring tide?', ['when', 'the', 'next', 'sprin', 'tide']],
		['tides TIDES tidal', ['tides', 'tidal']],
		['is it on', ['is', 'it', 'on']],
		['ｆｕｌｌ ｗｉｄｔｈ', ['full', 'width']],
		['潮汐发电', ['潮', '潮汐', '汐', '汐发', '发', '发电', '电']],
		['海', ['海']],
		['データの海', ['デー', 'ータ', 'タの', 'の海', '海']],
		['MQTTの', ['mqtt']],
		['prix du thé', ['prix', 'thé']],
		['?!', []],
	])('are found in %s', (question, terms) => {
		expect(termsOf(question)).toEqual(terms);
	});
});

describe('A term', () => {
	it.each<[string, string, number]>([
		['Datenbanken', 'Die Datenbank, der Datenbankserver', 2],
		['Server', 'ein Datenbankserver', 0],
		['storage', 'STORAGE\nstorages, storing', 2],
		['tide', 'Tide, tides; ebb-tide', 2],
		['发电', '潮汐发电站', 3],
		['ábra', 'Ábra, abra', 1],
		['a.b(', 'a.b(', 2],
		['cat', 'concatenate', 0],
		['ハハ', 'ハハハ', 2],
		['ภาษา', 'ภาษาไทย', 3],
		['?!', 'What?!', 0],
	])('is counted: %s in %s', async (question, text, times) => {
		expect(await counts(question, text)).toEqual([times]);
	});
});

it('is counted in each text separately', async () => {
	expect(
		await counts('tide range', 'A tide', '', 'the Range of ﬁne tide', 'ran', 'ge range'),
	).toEqual([1, 0, 2, 0, 1]);
});
