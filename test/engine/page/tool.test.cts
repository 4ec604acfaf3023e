import { toldIn } from '../fence.cjs';
import { useTestBed } from '../testBed.cjs';

/** Reading pages as a tool of an AI agent: the model reads the items' JSON and nothing else. */
describe('a page for a model', () => {
	const testBed = useTestBed();
	const node = () => ({ type: testBed.engine.typeName('webDataTool') });

	it('is cut to 40,000 characters; as an ordinary node it comes whole', async () => {
		const url = 'https://tidewatch.example/long';
		const markdown = 'High water, low water. '.repeat(5000).trim();
		testBed.service.site.add({ url, title: 'Long', markdown, published: '2026-11-01' });
		const scrape = async (more: object) =>
			(await testBed.run('page', 'scrape', { url }, more)).output().map(({ json }) => json);

		const [whole, ...others] = await scrape({});
		expect(others).toEqual([]);
		expect(whole.markdown).toBe(`# Long\n\n${markdown}`);

		const cut = await scrape({ node: node() });
		expect(JSON.stringify(cut).length).toBeLessThanOrEqual(40_000);
		expect(toldIn(cut)).toEqual({
			before: [{ notes: [expect.stringMatching(/^The result was truncated/)] }],
			inside: [
				expect.objectContaining({ markdown: expect.stringMatching(/^# Long.*characters\]$/s) }),
			],
		});
	});

	it('is cut to what answers the passage query of a model, at no cost', async () => {
		const url = 'https://tidewatch.example/long';
		const filler = 'High water, low water. '.repeat(5000);
		const fact = 'The harbour pilot of Westerhever is called Ingeborg Petersen.';
		const markdown = [filler, fact, filler].join('\n\n');
		testBed.service.site.add({ url, title: 'Long', markdown, published: '2026-11-01' });
		const account = testBed.account();
		const scrape = async (passageQuery: string) => {
			const set = { url, passageQuery };
			const run = await testBed.run('page', 'scrape', set, { node: node(), account });
			return JSON.stringify(run.output().map(({ json }) => json));
		};

		const found = await scrape('Who pilots ships into Westerhever?');

		expect(found).toContain(fact);
		expect(found.length).toBeLessThanOrEqual(40_000);
		expect(await scrape('')).not.toContain(fact);
		const [request, ...more] = testBed.service.log.of('POST', '/v2/scrape');
		expect(more).toEqual([]);
		expect(request.body).not.toHaveProperty('passageQuery');
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});
});
