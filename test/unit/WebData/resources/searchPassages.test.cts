import type { IDataObject } from 'n8n-workflow';
import { tokensOf } from '../../../../nodes/runtime/tool/passages';
import {
	markdownOf,
	passageResults,
	sourcePage,
	wholePassages,
} from '../../../../nodes/WebData/documents/passage';
import { passages } from '../../../../nodes/WebData/resources/search';
import { turnsDuring } from '../../../turnsDuring.cjs';
import { perform } from '../../calls.cjs';

const scrapeId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const page = (name: string, more: IDataObject = {}): IDataObject => ({
	title: name,
	url: `https://${name}.example`,
	description: `About ${name}`,
	...more,
});
const readPage = (name: string, markdown: string): IDataObject =>
	page(name, { markdown, metadata: { statusCode: 200, scrapeId } });

describe('a search for passages', () => {
	const run = async (parameters: object, web: IDataObject[], more: IDataObject = {}) => {
		const answer = { success: true, id: 'search-1', creditsUsed: 4, data: { web }, ...more };
		return await perform(passages, { query: 'berth prices', ...parameters }, answer);
	};
	const textsOf = ({ results }: Awaited<ReturnType<typeof run>>) =>
		results.map(({ json }) => json.text);

	it('sends a search that reads its pages as markdown without what nobody sees of them', async () => {
		const additionalFields = { sources: ['web', 'news'], maxTokens: 500 };
		const { call } = await run({ limit: 3, alsoAsk: 'mooring fees', additionalFields }, []);

		const hidden = expect.arrayContaining(['[hidden]', '[style*="display:none"]']) as unknown;
		const scrapeOptions = { formats: [{ type: 'markdown' }], excludeTags: hidden };
		expect(call.sent).toEqual([
			{
				method: 'POST',
				path: '/search',
				body: { query: 'berth prices', limit: 3, sources: ['web', 'news'], scrapeOptions },
				serviceTimeout: 120_000,
				retrySafety: 'mayChargeTwice',
				price: 5,
			},
		]);
	});

	it('gives the passages that answer, with what was paid', async () => {
		const priced = readPage('a', '# Sea\n\nNothing.\n\n# Prices\n\nA berth is 12 euros.');

		const { results, call } = await run({}, [priced, readPage('b', 'Elsewhere.')]);

		expect(results.map(({ json }) => json)).toEqual([
			{
				number: 1,
				title: 'a',
				url: 'https://a.example',
				text: '# Prices\nA berth is 12 euros.',
				scrapeId,
				creditsUsed: 4,
			},
		]);
		expect(call.notices).toEqual([]);
	});

	it('ranks by other phrasings, too', async () => {
		const read = readPage('a', 'A mooring is 12 euros.');
		const found = await run({ alsoAsk: 'mooring fees, tariffs' }, [read]);
		expect(textsOf(found)).toEqual(['A mooring is 12 euros.']);
	});

	it('takes the description of a page that could not be read, and says so', async () => {
		const unread = page('a', { description: 'Berth prices of the harbour' });
		const failed = page('c', { markdown: 'Berth', metadata: { statusCode: 500 } });

		const found = await run({}, [unread, readPage('b', 'Berth prices are high.'), failed]);

		expect(textsOf(found).sort()).toEqual([
			'Berth prices are high.',
			'Berth prices of the harbour',
		]);
		expect(found.call.notices).toEqual([
			expect.stringMatching(/^1 of 2 pages returned an HTTP error.*c\.example \(500\)/),
			'2 pages could not be scraped: the description of the result is returned instead.',
		]);
	});

	it('gives the descriptions where nothing has a word of the query, and says so', async () => {
		const found = await run({}, [readPage('a', 'Liegeplätze'), page('b')]);

		expect(textsOf(found)).toEqual(['About a', 'About b']);
		expect(found.call.notices.at(-1)).toMatch(/^No passage matches the query/);
	});

	it('passes on notices of the service, and says what a search that found nothing cost', async () => {
		const { results, call } = await run({}, [], { warning: 'Half is missing.' });

		expect(results).toEqual([]);
		const nothing = 'Item 0 returned no results (search search-1, 4 credits)';
		expect(call.notices).toEqual(['Half is missing.', nothing]);
	});
});

describe('the passages of pages', () => {
	const fact = 'A berth costs 12 euros a night.';
	const filler = Array.from({ length: 100 }, (_, place) => `Words about the sea, ${place}.`);
	const source = (name: string, text: string) => sourcePage(readPage(name, ''), text);
	const pages = [
		source('a', [...filler, '# Prices', '## Berths', fact].join('\n\n')),
		source('b', [...filler, 'What a night costs in the hotel.'].join('\n\n')),
	];

	it('come to no more tokens than they may, all that they hold counted', async () => {
		const many = Array.from({ length: 10 }, (_, place) => {
			const about = filler.map((line) => `Berth "${place}" \\ ${line}`);
			return source(`p${place}`, [...filler, ...about].join('\n\n'));
		});
		for (const most of [100, 300, 1_500, 5_000]) {
			const found = await passageResults(many, ['berth'], most);
			const tokens = tokensOf(JSON.stringify(found.map(({ json }) => json)));
			expect(found.length).toBeGreaterThan(0);
			expect(tokens).toBeLessThanOrEqual(most);
			expect(found.map(({ json }) => json.number)).toEqual(found.map((_, index) => index + 1));
		}
	});

	it('are found without the operators of the query', async () => {
		const found = await passageResults(pages, ['berth -sea site:words.example'], 1_500);
		expect(found.map(({ json }) => json.text)).toEqual([expect.stringContaining(fact)]);
	});

	it('let others run while they are looked for in very many pages', async () => {
		const empty = Array(10_000).fill(source('a', ''));
		const turns = await turnsDuring(async () => await passageResults(empty, ['berth'], 1_500));
		expect(turns).toBeGreaterThanOrEqual(10);
	});

	it('can be the pages themselves, as many as fit, and one in any case', () => {
		const whole = (most: number, ...texts: string[]) =>
			wholePassages(
				texts.map((text) => source('c', text)),
				most,
			).map(({ json }) => [json.number, json.text]);
		expect(whole(150, '', 'One.', 'Two.', 'Three.')).toEqual([
			[1, 'One.'],
			[2, 'Two.'],
		]);
		expect(whole(1_500, '', '')).toHaveLength(2);
		const long = sourcePage({ ...readPage('a', fact), title: 'x'.repeat(90_000) }, fact);
		expect(wholePassages([long, ...pages], 100).map(({ json }) => json.text)).toEqual([fact]);
	});
});

describe('the text of a page', () => {
	const pdf = { contentType: 'application/pdf' };

	it.each<[string | undefined, IDataObject]>([
		['# A', readPage('a', '# A')],
		[undefined, page('a')],
		[undefined, readPage('a', ' \n')],
		[undefined, { markdown: '# No', metadata: { statusCode: 404 } }],
		// A PDF that was not parsed.
		[undefined, { markdown: 'JVBERi0xLjQK', metadata: pdf }],
	])('is %p of %j', (text, document) => {
		expect(markdownOf(document)).toBe(text);
	});

	it('has its address and title from the metadata where it has none itself', () => {
		const metadata = { title: 'A', sourceURL: 'https://a.example', scrapeId: 's' };
		expect(sourcePage({ markdown: 'x', metadata }, 'x')).toEqual({
			text: 'x',
			title: 'A',
			about: { title: 'A', url: 'https://a.example', scrapeId: 's' },
		});
		expect(sourcePage({ title: 7 }, 'x')).toMatchObject({ title: '', about: {} });
	});
});
