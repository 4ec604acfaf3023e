import type { IDataObject } from 'n8n-workflow';
import { passages } from '../../../../../nodes/WebData/resources/search';
import { perform } from '../../../calls.cjs';
import { refusals } from '../../../schemaAssertions.cjs';

const scrapeId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const page = (name: string, more: IDataObject): IDataObject => ({
	title: name,
	url: `https://${name}.example`,
	description: `About ${name}`,
	...more,
});
const readPage = (name: string, markdown: string): IDataObject =>
	page(name, { markdown, metadata: { statusCode: 200, scrapeId } });
const answer = (...web: IDataObject[]): IDataObject => ({
	success: true,
	id: 'search-1',
	creditsUsed: 4,
	data: { web },
});
const run = async (parameters: object, body: IDataObject) =>
	await perform(passages, { query: 'berth prices', ...parameters }, body);

describe('a search for passages', () => {
	it('sends a search that reads its pages as markdown without what nobody sees of them', async () => {
		const shared = { limit: 3, sources: ['web', 'news'] };
		const more = { tbs: 'qdr:w', country: 'DE' };
		const additionalFields = { categories: ['pdf'], ...more };

		const parameters = { ...shared, maxTokens: 500, additionalFields };
		const { call } = await run(parameters, answer());

		expect(call.sent).toEqual([
			{
				method: 'POST',
				path: '/search',
				body: {
					query: 'berth prices',
					...shared,
					categories: [{ type: 'pdf' }],
					...more,
					scrapeOptions: {
						formats: [{ type: 'markdown' }],
						excludeTags: expect.arrayContaining(['[hidden]', '[style*="display:none"]']),
					},
				},
				serviceTimeout: 120_000,
				retrySafety: 'mayChargeTwice',
				// A search of ten results at most, and three pages of each source: PDFs of any length.
				price: 2,
			},
		]);
	});

	it('gives the passages that answer, with what was paid', async () => {
		const priced = readPage('a', '# Sea\n\nNothing.\n\n# Prices\n\nA berth is 12 euros.');

		const { results, call } = await run({}, answer(priced, readPage('b', 'Elsewhere.')));

		expect(results.map(({ json }) => json)).toEqual([
			{
				number: 1,
				title: 'a',
				url: 'https://a.example',
				text: '# Prices\nA berth is 12 euros.',
				scrapeId,
				request: { id: 'search-1', creditsUsed: 4 },
			},
		]);
		expect(call.notices).toEqual([]);
	});

	it('ranks by other phrasings too, and searches by the query alone', async () => {
		const read = readPage('a', 'A mooring is 12 euros.');

		const { results, call } = await run({ alsoAsk: 'mooring fees, tariffs' }, answer(read));

		expect(results.map(({ json }) => json.text)).toEqual(['A mooring is 12 euros.']);
		expect(call.sent[0].body).not.toHaveProperty('alsoAsk');
		expect(call.sent[0].body).toMatchObject({ query: 'berth prices' });
	});

	it('takes the description of a page that could not be read, and says so', async () => {
		const unread = page('a', { description: 'Berth prices of the harbour' });
		const read = readPage('b', 'Berth prices are high.');
		const failed = page('c', { markdown: 'Berth', metadata: { statusCode: 500 } });

		const { results, call } = await run({}, answer(unread, read, failed));

		expect(results.map(({ json }) => json.text).sort()).toEqual([
			'Berth prices are high.',
			'Berth prices of the harbour',
		]);
		expect(call.notices).toEqual([
			'2 pages could not be scraped: the description of the result is returned instead.',
		]);
	});

	it('gives the descriptions where nothing has a word of the query, and says so', async () => {
		const { results, call } = await run({}, answer(readPage('a', 'Liegeplätze'), page('b', {})));

		expect(results.map(({ json }) => [json.number, json.text])).toEqual([
			[1, 'About a'],
			[2, 'About b'],
		]);
		expect(call.notices.at(-1)).toMatch(/^No passage matches the query/);
	});

	it('hands the notices of the service on, and says that nothing was found and what that cost', async () => {
		const { results, call } = await run({}, { ...answer(), warning: 'Half is missing.' });

		expect(results).toEqual([]);
		expect(call.notices).toEqual([
			'Half is missing.',
			'Item 0 returned no results (search search-1, 4 credits)',
		]);
	});

	it.each([
		[{ query: ' ' }, 'query must not be blank'],
		[{ query: 'x', limit: 101 }, 'limit must be a whole number from 1 to 100, not 101'],
		[
			{ query: 'x', maxTokens: 99 },
			'maxTokens must be a whole number from 100 to 20,000 tokens, not 99',
		],
		[{ query: 'x', sources: ['images'] }, 'sources 0 must be one of news, web, not images'],
		[
			{ query: 'x', includeDomains: 'a.example', excludeDomains: 'b.example' },
			`includeDomains cannot be used together with 'Exclude Domains'`,
		],
	])('refuses %j', (request, refusal) => {
		expect(refusals(passages.schema, request)).toEqual([refusal]);
	});
});
