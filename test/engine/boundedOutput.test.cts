import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { hostilePages } from '../hostilePages.cjs';
import { projectRoot } from '../root.cjs';
import { useDrivenTime } from './drivenTime.cjs';
import { useTestBed } from './testBed.cjs';

const documentation = readFileSync(join(projectRoot, 'docs/items.md'), 'utf8').replace(/\s+/g, ' ');

/** A number that the documentation states. @throws where it states none */
function stated(pattern: RegExp): number {
	const [, digits] = pattern.exec(documentation) ?? [];
	if (digits === undefined) throw new Error(`docs/items.md does not state ${String(pattern)}`);
	return Number(digits.replaceAll(',', ''));
}

/** How much may come out. */
const limits = {
	times: stated(/Items \| (\d+) times the bytes of the responses/),
	timesInLists: stated(/extracted lists (\d+) times/),
	perItem: stated(/([\d,]+) bytes more for each item/),
	title: stated(/titles at ([\d,]+)/),
	url: stated(/URLs at ([\d,]+)/),
	shared: stated(/more than (\d+) MB in all/) * 1_000_000,
	links: stated(/(\d+) links for each item that comes in or out/),
	notice: stated(/notice is cut at ([\d,]+) characters/),
	notices: stated(/an execution shows at most (\d+)/),
	message: stated(/([\d,]+) characters in its message/),
	description: stated(/([\d,]+) in its description/),
	toolResult: stated(/result of a tool \| ([\d,]+) characters/),
};

const prose = (size: number): string => 'tide '.repeat(size / 5);
const many = <Entry,>(count: number, make: (place: number) => Entry): Entry[] =>
	Array.from({ length: count }, (_, place) => make(place));

/** A page whose headings, and the head of whose table, stand above many short parts of it. */
const text = [
	hostilePages['nested long headings above many short blocks'](60_000),
	hostilePages['a long table head above many short rows'](60_000),
].join('\n\n');

/** Pages with long texts, titles and URLs, each beginning in its own way, so that no two share them. */
const pages = many(6, (place) => {
	const url = `https://a.example/${place}?${'x'.repeat(30_000)}`;
	const title = `${place} ${prose(30_000)}`;
	const metadata = { statusCode: 200, sourceURL: url, title, scrapeId: `s${place}` };
	return { url, title, description: prose(1_000), markdown: `${place} ${text}`, metadata };
});

const small = many(1_000, (place) => ({ url: `https://a.example/${place}`, title: 'Tide' }));

/** A long value, and very many long warnings, beside the entries. */
const beside = {
	about: { tides: prose(30_000) },
	warnings: many(110, (place) => `${place} ${prose(1_200)}`),
};
const ended = { success: true, status: 'completed', completed: 1_000, total: 1_000, duration: 1 };
const documents = small.map(({ url }) => ({
	markdown: '1',
	metadata: { sourceURL: url, statusCode: 200 },
}));

const url = 'https://a.example/';
const monitorId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const passages = { query: 'tide', additionalFields: { maxTokens: 20_000 } };
const scraping = { query: 'tide', scrapeResults: true };
const extracting = { url, formats: ['json'], jsonSchemaExample: '[{"price": 1}]' };
const list = { items: many(1_000, (price) => ({ price })) };
const found = { success: true, data: { web: pages }, ...beside };

/** An operation, its parameters, the path of a request, and what it responds with. */
type Case = [resource: string, operation: string, set: INodeParameters, path: string, body: object];

const cases: Case[] = [
	['search', 'query', scraping, '/v2/search', found],
	['search', 'query', { ...scraping, options: { output: 'raw' } }, '/v2/search', found],
	['search', 'passages', passages, '/v2/search', found],
	['page', 'scrape', { url }, '/v2/scrape', { success: true, data: { ...pages[0], ...beside } }],
	[
		'page',
		'scrape',
		extracting,
		'/v2/scrape',
		{ success: true, data: { ...pages[0], json: list } },
	],
	['map', 'get', { url }, '/v2/map', { success: true, links: small, ...beside }],
	['batch', 'run', { urls: url }, '/v2/batch/scrape/*', { ...ended, data: documents, ...beside }],
	['crawl', 'run', { url }, '/v2/crawl/*', { ...ended, data: documents, ...beside }],
	[
		'monitor',
		'getCheck',
		{ monitorId, checkId: monitorId, returnAll: true },
		'/v2/monitor/*',
		{ success: true, data: { id: monitorId, status: 'completed', pages: small, ...beside } },
	],
];

const refused = {
	success: false,
	code: 'BAD_REQUEST',
	error: prose(20_000),
	runId: prose(20_000),
	upgrade_url: prose(20_000),
	requiresAction: { url: prose(20_000), terms: prose(20_000), version: prose(20_000) },
	details: many(100, (place) => ({ path: [`field ${place}`], message: `${place} ${prose(500)}` })),
};

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
const sumOf = (items: INodeExecutionData[], size: (item: INodeExecutionData) => number): number =>
	items.reduce((sum, item) => sum + size(item), 0);

/** Sizes of what comes out of an operation, counted in bytes where n8n stores JSON. */
describe('what comes out is bounded', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);

	/** Runs an operation for many items of a batch, or one of another, which the service answers so. */
	const run = async (
		[resource, operation, set, path, body]: Case,
		status = 200,
		type = 'webData',
	) => {
		const method = /\*$/.test(path) ? 'GET' : 'POST';
		testBed.service.faults.add({ kind: 'status', status, method, path, body, count: Infinity });
		const input = Array(resource === 'batch' ? 30 : 1).fill({});
		const node = { type: testBed.engine.typeName(type) };
		return await time.drive(testBed.run(resource, operation, set, { input, node }));
	};

	it.each(cases)('from %s: %s with %j', async (...one) => {
		const [, operation, set, , body] = one;
		const ended = await run(one);

		const items = ended.output();
		expect(items.length).toBeGreaterThan(0);
		const hasParts = operation === 'passages' || set === extracting;
		const times = hasParts ? limits.timesInLists : limits.times;
		const perItem = limits.perItem + (hasParts ? limits.title + limits.url : 0);
		const shared = items.length > pages.length ? limits.shared : 0;
		const most = times * bytesOf(body) + perItem * items.length + shared;
		expect(sumOf(items, ({ json }) => bytesOf(json))).toBeLessThanOrEqual(most);
		const links = sumOf(items, ({ pairedItem }) => [pairedItem].flat().length);
		expect(links).toBeLessThanOrEqual(limits.links * (30 + items.length));
		const notices = ended.hints().map(({ message }) => message.length);
		expect(notices.length).toBeLessThanOrEqual(limits.notices + 1);
		expect(Math.max(0, ...notices)).toBeLessThanOrEqual(limits.notice + '…'.length);
	});

	const failed = { success: true, status: 'failed', error: prose(100_000) };

	it.each<[...Case, status: number]>([
		['search', 'query', { query: 'tide' }, '/v2/search', refused, 400],
		['agent', 'run', { prompt: 'tide' }, '/v2/agent/*', failed, 200],
	])('from %s: %s as an error', async (resource, operation, set, path, body, status) => {
		const { error } = await run([resource, operation, set, path, body], status);

		expect(error?.message).toContain('tide tide');
		expect(error?.message.length).toBeLessThanOrEqual(limits.message);
		expect(error?.description?.length).toBeLessThanOrEqual(limits.description);
	});

	it.each(cases)('as the result of a tool from %s: %s with %j', async (...one) => {
		const told = (await run(one, 200, 'webDataTool')).output().map(({ json }) => json);

		expect(JSON.stringify(told).length).toBeLessThanOrEqual(limits.toolResult);
		expect(JSON.stringify(told).length).toBeGreaterThan(1_000);
	});
});
