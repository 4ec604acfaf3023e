import { useTestBed } from '../testBed.cjs';

/** What comes out of each operation is in test/cases. */
describe('a paper', () => {
	const testBed = useTestBed();
	const entries = () => testBed.service.log.entries;

	it('is asked for by a query that means the same in a URL', async () => {
		const query = 'a&b=c #1 100%';
		const additionalFields = { authors: 'Castellan, Weide', categories: 'cs.LG, physics.ao-ph' };

		const run = await testBed.run('paper', 'search', { query, additionalFields });

		expect(run.error?.message).toBeUndefined();
		expect(entries()).toMatchObject([{ method: 'GET', credits: 0 }]);
		expect({ ...entries()[0].query }).toEqual({
			query,
			k: '10',
			authors: ['Castellan', 'Weide'],
			categories: ['cs.LG', 'physics.ao-ph'],
		});
	});

	it.each([
		['910001', '910001'],
		['pmid:99100001', '910001'],
		['doi:10.5555/phys.2024.066/supplement(1)', '910066'],
		['arxiv:math.NA/0105067', '910067'],
		['https://arxiv.org/abs/2403.90002', '910002'],
		['  doi:10.5555/tide.2024.001  ', '910001'],
	])('is found by its ID, as one segment of the path: %s', async (id, paperId) => {
		const run = await testBed.run('paper', 'get', { id });

		expect(run.output()).toMatchObject([{ json: { paperId, title: expect.any(String) } }]);
		expect(entries().map(({ path }) => path)).toEqual([
			`/v2/search/research/papers/${encodeURIComponent(id.trim())}`,
		]);
	});
});
