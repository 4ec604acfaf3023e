import type { IDataObject } from 'n8n-workflow';
import { turnsDuring } from '../../../turnsDuring.cjs';
import { tokensOf } from '../../../../nodes/runtime/output/passages';
import {
	markdownOf,
	passageResults,
	sourcePage,
	wholePassages,
} from '../../../../nodes/WebData/resources/search';

const fact = 'A berth costs 12 euros a night.';
const filler = Array.from({ length: 100 }, (_, place) => `Words about the sea, ${place}.`);

const document = (url: string, markdown: string): IDataObject => ({
	title: `Page ${url}`,
	url,
	markdown,
	source: 'web',
	position: 1,
	request: { id: 'search-1', creditsUsed: 7 },
	metadata: { statusCode: 200, scrapeId: `scrape of ${url}` },
});

const pages = [
	sourcePage(document('a', ''), [...filler, '# Prices', '## Berths', fact].join('\n\n')),
	sourcePage(document('b', ''), [...filler, 'What a night costs in the hotel.'].join('\n\n')),
];

describe('the passages of pages', () => {
	it('have a number, where they stand, how to read on, and what was paid', async () => {
		const [{ json }, ...others] = await passageResults(
			pages,
			['What does a berth cost a night?'],
			1_500,
		);

		expect(json).toEqual({
			number: 1,
			title: 'Page a',
			url: 'a',
			text: `# Prices\n## Berths\n${fact}`,
			scrapeId: 'scrape of a',
			request: { id: 'search-1', creditsUsed: 7 },
		});
		expect(others[0].json).not.toHaveProperty('request');
		expect(others.map((other) => other.json.number)).toEqual([2]);
	});

	it('say of the request what it was and cost, and nothing that takes their tokens', async () => {
		const odd = { ...document('a', fact), request: { id: 'search-1', more: 'x'.repeat(90_000) } };
		const [{ json }] = await passageResults([sourcePage(odd, fact)], ['berth'], 1_500);
		expect(json).toMatchObject({ text: fact, request: { id: 'search-1' } });
		expect(json.request).not.toHaveProperty('more');
	});

	it('are one in any case where whole pages stand for them', () => {
		const long = { ...document('a', fact), title: 'x'.repeat(90_000) };
		const whole = [long, document('b', fact)].map((json) => sourcePage(json, fact));
		const [first, ...others] = wholePassages(whole, 100);
		expect(first.json.text).toBe(fact);
		expect(others).toEqual([]);
	});

	it('come to no more tokens than they may, all that they hold counted', async () => {
		const many = Array.from({ length: 10 }, (_, place) => {
			const about = filler.map((line) => `Berth "${place}" \\ ${line}`);
			return sourcePage(document(`p${place}`, ''), [...filler, ...about].join('\n\n'));
		});
		for (const most of [100, 300, 1_500, 5_000]) {
			const found = await passageResults(many, ['berth'], most);
			const tokens = tokensOf(JSON.stringify(found.map(({ json }) => json)));
			expect(found.length).toBeGreaterThan(0);
			expect(tokens).toBeLessThanOrEqual(most);
			expect(found.map(({ json }) => json.number)).toEqual(found.map((_, index) => index + 1));
		}
	});

	it('are cut where not one fits whole', async () => {
		const long = `\`\`\`\n${'berth = 12\n'.repeat(500)}\`\`\``;
		const cut = [sourcePage(document('a', ''), long)];
		const [{ json }, ...others] = await passageResults(cut, ['berth'], 200);

		expect(others).toEqual([]);
		expect(json.text).toContain('berth = 12\nberth = 12');
		expect(tokensOf(JSON.stringify(json))).toBeLessThanOrEqual(200);
	});

	it('are found without the operators of the query', async () => {
		const found = await passageResults(pages, ['berth -sea site:words.example'], 1_500);
		expect(found.map(({ json }) => json.text)).toEqual([expect.stringContaining(fact)]);
	});

	it('let others run while they are looked for in very many pages', async () => {
		const empty = Array(10_000).fill(sourcePage(document('a', ''), ''));
		const turns = await turnsDuring(async () => await passageResults(empty, ['berth'], 1_500));
		expect(turns).toBeGreaterThanOrEqual(10);
	});

	it('can be the pages themselves, as many as fit', () => {
		const long = wholePassages([...pages, sourcePage(document('c', ''), 'Short.')], 200);
		expect(long.map(({ json }) => [json.number, json.url])).toEqual([[1, 'a']]);
		const short = ['', 'One.', 'Two.', 'Three.'].map((text) => sourcePage(document('c', ''), text));
		expect(wholePassages(short, 75).map(({ json }) => [json.number, json.text])).toEqual([
			[1, 'One.'],
			[2, 'Two.'],
		]);
	});

	it('are pages without text where none has any', () => {
		const empty = [sourcePage(document('a', ''), ''), sourcePage(document('b', ''), '')];
		expect(wholePassages(empty, 1_500).map(({ json }) => json.url)).toEqual(['a', 'b']);
	});
});

describe('the text of a page', () => {
	const pdf = { contentType: 'application/pdf' };

	it('is its markdown', () => {
		expect(markdownOf(document('a', '# A'))).toBe('# A');
	});

	it.each<[string, IDataObject]>([
		['it was not read', { url: 'a', description: 'b' }],
		['it is blank', document('a', ' \n')],
		['the page answered with an error', { markdown: '# No', metadata: { statusCode: 404 } }],
		['it is a PDF that was not parsed', { markdown: 'JVBERi0xLjQK', metadata: pdf }],
	])('is none where %s', (_name, page) => {
		expect(markdownOf(page)).toBeUndefined();
	});

	it('has its address and title from the metadata where it has none itself', () => {
		const metadata = { title: 'A', sourceURL: 'https://a.example', scrapeId: 's' };
		expect(sourcePage({ markdown: 'x', metadata }, 'x')).toEqual({
			text: 'x',
			title: 'A',
			about: { title: 'A', url: 'https://a.example', scrapeId: 's' },
		});
	});
});
