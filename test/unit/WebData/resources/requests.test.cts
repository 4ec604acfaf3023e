import type { Request } from '../../../../nodes/runtime/http/client';
import { settle } from '../../../../nodes/runtime/values/outcome';
import { crawlStart } from '../../../../nodes/WebData/resources/crawl';
import { crawlRequest } from '../../../../nodes/WebData/resources/crawl';
import { operationNamed, recordedCall, requestOf } from '../../calls.cjs';
import { accepted } from '../../schemaAssertions.cjs';

type Parameters = Record<string, unknown>;

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const url = 'https://a.example/';
const also = (additionalFields: Parameters): Parameters => ({ additionalFields });

/** The first request of an operation. */
async function sentFor(name: string, parameters: Parameters) {
	const operation = operationNamed(name);
	const call = recordedCall({ success: true });
	await settle(operation.run(requestOf(operation, parameters), call));
	return call.sent[0];
}

/** What is set beside what an operation needs, and what is sent beside it. */
type Sent = Array<[set: Parameters, sent: object]>;

const searches: Sent = [
	[also({ sources: ['web'] }), {}],
	[also({ sources: [{ type: 'web' }, 'news'] }), { sources: ['web', 'news'] }],
	[
		{ scrapeResults: true, scrapeOptions: { location: { country: '' } } },
		{ scrapeOptions: { formats: [{ type: 'markdown' }] } },
	],
	[{ scrapeResults: false, formats: ['links'], scrapeOptions: { onlyMainContent: false } }, {}],
	[
		{ scrapeResults: ' TRUE', formats: 'summary' },
		{ scrapeOptions: { formats: [{ type: 'summary' }] } },
	],
	[{ query: 'x'.repeat(500) }, { query: 'x'.repeat(500) }],
	[also({ includeDomains: '', excludeDomains: 'a.example' }), { excludeDomains: ['a.example'] }],
	[also({ includeDomains: [], excludeDomains: ['a.example'] }), { excludeDomains: ['a.example'] }],
	[also({ tbs: 'qdr:d' }), { tbs: 'qdr:d' }],
	[also({ categories: ['github'] }), { categories: [{ type: 'github' }] }],
	[also({ categories: [] }), { categories: [] }],
	[also({ enterprise: [], tbs: { sortByDate: false }, location: '', country: '' }), {}],
];

const tide = { provider: 'tidewatch', capability: 'tide-times' };
const filings = { provider: 'filings', capability: 'search' };
const inHusum = { ...tide, options: { harbour: 'Husum' } };
const version = '3.0.0-beta.1+a';
const padded = { provider: ' tidewatch ', capability: ' tide-times ', version: ` ${version} ` };
/** A tool as a search finds it. */
const discovered = {
	id: 'tidewatch/tide-times',
	...tide,
	name: 'Tide times',
	description: 'High and low water',
	creditsCost: 1,
	options: [{ name: 'harbour', type: 'string' }],
	matchedBy: ['semantic'],
	source: 'tools',
	position: 1,
};
const called = (calls: unknown, ...alexandria: object[]): Sent[number] => [
	{ calls },
	{ alexandria },
];
const tools: Sent = [
	called(JSON.stringify([tide]), tide),
	called(inHusum, inHusum),
	called([padded, filings], { ...tide, version }, filings),
	called([discovered], tide),
	called({ ...tide, description: 'compact' }, tide),
	called([{ ...discovered, options: inHusum.options }], inHusum),
	called([{ id: 'any', name: 'Tide times', execute: tide, next: null }], tide),
	called(Array(10).fill(tide), ...Array<object>(10).fill(tide)),
];

const watched = { type: 'scrape', urls: [url] };
const least = { name: 'Prices', targets: { values: [watched] }, schedule: 'hourly' };
const leastBody = { name: 'Prices', targets: [watched], schedule: { text: 'hourly' } };
const ownForm = {
	targets: [{ type: 'search', queries: ['a'] }],
	schedule: { cron: '0 9 * * *', timezone: 'Europe/Berlin' },
	goal: 'News',
	notification: { slack: { enabled: true, channelId: 'C1' } },
	webhook: { url: 'https://a.example/h', headers: { a: 'b' } },
};
const monitors: Sent = [
	[also({ goal: '', notification: {}, webhook: {}, requestJson: '{}' }), {}],
	[{ targets: {}, schedule: '', ...also({ requestJson: ownForm }) }, ownForm],
	[{ name: '' }, { name: 'https://a.example/' }],
	[
		{ name: '', ...also({ requestJson: ownForm }) },
		{ ...ownForm, name: 'a' },
	],
	[
		{ schedule: ' 0  9 * * 1-5 ', ...also({ timezone: 'Europe/Berlin' }) },
		{ schedule: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' } },
	],
	[
		also({ timezone: 'Europe/Berlin', requestJson: { schedule: '0 9 * * *' } }),
		{ schedule: ownForm.schedule },
	],
	[
		also({ timezone: 'Europe/Berlin', requestJson: { schedule: { cron: '0 9 * * *' } } }),
		{ schedule: ownForm.schedule },
	],
	[
		{ targets: { values: [{ type: 'search', queries: 'a' }] }, ...also({ judgeEnabled: false }) },
		{ targets: ownForm.targets, judgeEnabled: false },
	],
];
const changes: Sent = [
	[
		{ targets: { values: [{ type: 'search', queries: 'a', optionsJson: { id } }] } },
		{ targets: [{ type: 'search', queries: ['a'], id }] },
	],
	// An expression without a value changes nothing; null in JSON clears.
	[also({ goal: null, status: 'active' }), { status: 'active' }],
	[
		also({ goal: 'A', requestJson: '{"goal": null, "status": "active"}' }),
		{ goal: null, status: 'active' },
	],
	[also({ requestJson: { origin: 'n8n' } }), { origin: 'n8n' }],
	[
		also({ timezone: 'Europe/Berlin', requestJson: { schedule: { cron: '0 9 * * *' } } }),
		{ schedule: ownForm.schedule },
	],
];

describe.each<[name: string, least: Parameters, leastSent: object, Sent]>([
	['search: query', { query: 'tides' }, { query: 'tides' }, searches],
	[
		'paper: search',
		{ query: 'a' },
		{ query: 'a' },
		[[also({ authors: '', from: '', to: '' }), {}]],
	],
	['map: get', { url }, { url }, [[{ returnAll: 'True', limit: 7 }, { limit: 100_000 }]]],
	['session: execute', { sessionId: 's1' }, {}, [[{ code: 'x' }, { code: 'x', language: 'node' }]]],
	['tool: execute', {}, {}, tools],
	['monitor: create', least, leastBody, monitors],
	['monitor: update', { monitorId: id }, {}, changes],
	[
		'crawl: previewParams',
		{ prompt: 'blog' },
		{ prompt: 'blog' },
		// The service refuses an address without its scheme.
		[
			[{ url: ' a.example:8080/docs ' }, { url: 'http://a.example:8080/docs' }],
			[{ url }, { url }],
		],
	],
])('%s', (name, needed, always, rows) => {
	it.each(rows)('sends for %j also %j', async (set, sent) => {
		const { body, query } = await sentFor(name, { ...needed, ...set });
		expect(body ?? query).toEqual({ ...always, ...sent });
	});
});

it.each([
	[{}, 100],
	[{ limit: '' }, 100],
	[{ limit: '3' }, 3],
])("a crawl's start of %j always has a limit", (rest, limit) => {
	const request = accepted(crawlRequest.schema, { url, ...rest });
	expect(crawlStart(request, true).body).toEqual({ url, limit });
});

const code = { code: 'x', ...also({ timeout: 90 }) };
const scraped = {
	query: 'q',
	scrapeResults: true,
	scrapeOptions: { timeout: 300_000 },
	...also({ timeout: 1000 }),
};

/** Whether a request may be repeated, its price, and how long the service may take. */
type Told = [retrySafety: Request['retrySafety'], price?: unknown, serviceTimeout?: number];

it.each<[name: string, parameters: Parameters, Told]>([
	['account: getQueueStatus', {}, ['free']],
	['page: scrape', { url }, ['mayChargeTwice', expect.anything(), 60_000]],
	['map: get', { url }, ['mayChargeTwice', 1]],
	['map: get', { url, ...also({ timeout: 5000 }) }, ['mayChargeTwice', 1, 5000]],
	['search: query', { query: 'q', limit: 5 }, ['mayChargeTwice', 2, 120_000]],
	['search: query', { query: 'q', ...also({ timeout: 200_000 }) }, ['mayChargeTwice', 2, 260_000]],
	['search: query', scraped, ['mayChargeTwice', expect.anything(), 301_000]],
	['paper: search', { query: 'q', k: 2 }, ['free']],
	['monitor: create', least, ['mayStartTwice', 0]],
	['monitor: update', { monitorId: id, ...also({ goal: 'A' }) }, ['free']],
	['monitor: run', { monitorId: id }, ['mayStartTwice', 0]],
	['monitor: delete', { monitorId: id }, ['free']],
	['session: create', {}, ['mayStartTwice', 2]],
	[
		'session: interact',
		{ jobId: id, taskType: 'prompt', prompt: 'x' },
		['mayStartTwice', 7, 30_000],
	],
	['session: interact', { jobId: id, taskType: 'code', ...code }, ['mayStartTwice', 2, 90_000]],
	['session: execute', { sessionId: 's1', ...code }, ['mayStartTwice', 0, 90_000]],
	['session: delete', { sessionId: 's1' }, ['free']],
	['session: stop', { jobId: id }, ['free']],
	['tool: execute', { calls: [tide] }, ['idempotencyKey', 0, 50_000]],
	['tool: execute', { calls: [tide], ...also({ timeout: 20 }) }, ['idempotencyKey', 0, 20]],
])('%s for %j tells how its request may be repeated: %j', async (name, parameters, told) => {
	const { retrySafety, price, serviceTimeout } = await sentFor(name, parameters);
	const [safety, priced, time] = told;
	expect([retrySafety, price, serviceTimeout]).toEqual([safety, priced, time]);
});

it.each<[string, unknown]>([
	['the editor', { from: '2026-11-01' }],
	['an expression, as text', '{"from": "2026-11-01"}'],
])('An open period of %s ends on the day of each search', async (_, tbs) => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout'] });
	try {
		for (const day of [26, 27]) {
			jest.setSystemTime(new Date(2026, 10, day, 12));
			const { body } = await sentFor('search: query', { query: 'tide', ...also({ tbs }) });
			expect(body).toMatchObject({ tbs: `cdr:1,cd_min:11/01/2026,cd_max:11/${day}/2026` });
		}
	} finally {
		jest.useRealTimers();
	}
});
