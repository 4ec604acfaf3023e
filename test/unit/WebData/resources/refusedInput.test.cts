import { resources } from '../../../../nodes/WebData/resources';
import { operationNamed } from '../../calls.cjs';
import { refusalOf, refusals } from '../../schemaAssertions.cjs';

type Parameters = Record<string, unknown>;

const url = 'https://a.example/';
const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const also = (additionalFields: Parameters): Parameters => ({ additionalFields });
const json = (requestJson: unknown): Parameters => also({ requestJson });
const noField = (name: string) => `The request has no field '${name}'`;
const waitsLong = { waitFor: 5001, timeout: 10_000 };
const halfOfTimeout = 'must be at most half the timeout of 10000 milliseconds, not 5001';

const tool = { provider: 'tidewatch', capability: 'tide-times' };
const terms = { provider: ' Firecrawl', capability: 'Terms/Accept ' };
const noTerms = `'Calls > entry 1' must not accept a provider's terms: this requires a person`;
const search = { values: [{ type: 'search', queries: 'tides' }] };
const picked = (value: string) => ({ __rl: true, mode: 'list', value });

/** The rules of one operation alone: what it needs, what is set beside that, and the words of the refusal. */
const rules: Record<string, [least: Parameters, ...Array<[set: Parameters, words: string]>]> = {
	'search: query': [
		{ query: 'tides' },
		[{ query: ' \n' }, `'Query' must not be blank`],
		[{ scrapeResults: 'yes' }, `'Scrape Results' must be true or false, not yes`],
		[{ scrapeResults: null }, `'Scrape Results' has no value: give it one, or remove the field`],
		[json({ proxy: 'auto' }), noField('proxy')],
		[
			also({ includeDomains: 'a.example', excludeDomains: 'b.example' }),
			`'Include Domains' cannot be used together with 'Exclude Domains'`,
		],
		[
			{ scrapeResults: true, scrapeOptions: waitsLong },
			`'Scrape Options > Wait For' ${halfOfTimeout}`,
		],
		[
			also({ categories: ['developer', 'pdf'] }),
			`'Categories' does not allow Developer together with other categories`,
		],
		[
			also({ categories: ['pdf', 'gov'] }),
			`'Categories' does not allow Government together with other categories`,
		],
		[also({ sources: [{ toString: 1 }] }), `'Sources > entry 1 > type' is required`],
		[
			{ query: '', limit: 0, ...also({ highlights: 'perhaps' }) },
			`'Query' is required; 'Limit' must be a whole number from 1 to 100, not 0; 'Highlight Descriptions' must be true or false, not perhaps`,
		],
	],
	'page: scrape': [
		{ url },
		[json({ alexandria: { provider: 'a' } }), noField('alexandria')],
		[json({ scrapeOptions: { mobile: true } }), noField('scrapeOptions')],
		[also(waitsLong), `'Wait For' ${halfOfTimeout}`],
	],
	'batch: run': [
		{ urls: url },
		[{ urls: ' , ,\n' }, "'URLs' must not be empty"],
		[
			{ urls: Array.from({ length: 11 }, () => url + 'x'.repeat(1_000_000)) },
			"'URLs' must be at most 10 MB in one batch; split the input into several",
		],
		[json({ scrapeOptions: { mobile: true } }), noField('scrapeOptions')],
	],
	'crawl: run': [{ url }, [json({ formats: ['links'] }), noField('formats')]],
	'map: get': [{ url }, [{ returnAll: 'yes' }, `'Return All' must be true or false, not yes`]],
	'agent: run': [
		{ prompt: 'Find the founders' },
		[also({ strictConstrainToURLs: true }), `'Only These URLs' requires 'URLs'`],
		[{ schemaType: 'example', schemaExample: '17' }, `'Example' must be a JSON object`],
	],
	'session: create': [
		{},
		[also({ profile: { saveChanges: true } }), `'Profile > Name' is required`],
	],
	'session: execute': [
		{ sessionId: 's1' },
		[{ code: 'é'.repeat(50_001) }, `'Code' must be at most 100,000 bytes long, not 100,002`],
	],
	'session: interact': [
		{ jobId: id },
		[{ taskType: 'prompt', code: 'x' }, `'Prompt' is required`],
		[{ taskType: 'code', prompt: 'x' }, `'Code' is required`],
	],
	'monitor: create': [
		{ name: 'Prices', targets: { values: [{ type: 'scrape', urls: url }] }, schedule: 'hourly' },
		[{ targets: search }, `'Goal' is required for a Search target, unless 'Judge Changes' is off`],
		[also({ webhook: { events: [] } }), `'Webhook > URL' is required`],
		[json({ status: 'paused' }), noField('status')],
	],
	'monitor: update': [
		{ monitorId: id },
		[
			also({ name: '', goal: null, webhook: {}, requestJson: '{}' }),
			`The request changes nothing: set 'Targets' or at least one of the 'Update Fields'`,
		],
		[{ targets: [] }, `'Targets' must not be empty`],
		// The monitor is the picked one, whatever the JSON has.
		[also({ goal: 'A', requestJson: { monitorId: id } }), noField('monitorId')],
		[{ monitorId: picked(''), ...also({ goal: 'A' }) }, `'Monitor' is required`],
	],
	'paper: search': [
		{ query: 'tides' },
		[also({ from: 'soon' }), `'From' must be a date such as 2026-11-21`],
		[also({ from: '2026-02-01', to: '2026-01-31' }), `'To' must not be before 'From'`],
	],
	'paper: getSimilar': [
		{ id: '1', intent: 'newer' },
		[also({ anchor: ['a', ''] }), `'Anchors > entry 2' is required`],
	],
	'tool: execute': [
		{ calls: [tool] },
		[{ calls: Array(11).fill(tool) }, `'Calls' must be a list from 1 to 10 entries, not 11`],
		[{ calls: [tool, { provider: 'a' }] }, `'Calls > entry 2 > capability' is required`],
		[
			{ calls: '[{"provider": "tidewatch"},]' },
			`'Calls' is not valid JSON: Unexpected token ']', ..."dewatch"},]" is not valid JSON`,
		],
		[
			{ calls: [{ ...tool, options: 'Husum' }] },
			`'Calls > entry 1 > options' is not valid JSON: Unexpected token 'H', "Husum" is not valid JSON`,
		],
		[
			{ calls: [{ provider: 'x'.repeat(201), capability: 'y' }] },
			`'Calls > entry 1 > provider' must be at most 200 characters long, not 201`,
		],
		[
			{ calls: [{ ...tool, options: { text: 'x'.repeat(262_144) } }] },
			`'Calls > entry 1 > options' must be at most 256 KB`,
		],
		[{ calls: [terms] }, noTerms],
		[{ calls: [{ description: 'x', execute: terms }] }, noTerms],
		[
			also({ requestId: 'order 4711' }),
			`'Request ID' must be 1 to 128 letters, digits or any of . _ : -, not order 4711`,
		],
		[
			also({ timeout: 50_001 }),
			`'Timeout' must be a whole number from 1 to 50,000 milliseconds, not 50001`,
		],
	],
};

describe.each(Object.entries(rules))('%s', (name, [least, ...refused]) => {
	it.each(refused)('refuses %j', (set, words) => {
		expect(refusalOf(operationNamed(name), { ...least, ...set })).toBe(words);
	});
});

/** What an operation needs, of those that have a bounded number. */
const needed: Record<string, Parameters> = {
	...Object.fromEntries(Object.entries(rules).map(([name, [least]]) => [name, least])),
	'map: get': { url },
	'paper: read': { id: '1', query: 'tides' },
	'session: execute': { sessionId: 's1', code: '1' },
};

it.each<[name: string, bounds: [number, number], set: (value: number) => Parameters]>([
	['search: query', [1, 100], (limit) => ({ limit })],
	['map: get', [1, 100_000], (limit) => ({ limit })],
	['paper: search', [1, 500], (k) => ({ k })],
	['paper: read', [1, 50], (k) => ({ k })],
	['page: scrape', [1_000, 300_000], (timeout) => also({ timeout })],
	['page: scrape', [0, 60_000], (waitFor) => also({ waitFor, timeout: 300_000 })],
	['page: scrape', [1, 10_000], (maxPages) => also({ parsers: { maxPages } })],
	['session: create', [30, 3_600], (ttl) => also({ ttl })],
	['session: create', [10, 3_600], (activityTtl) => also({ activityTtl })],
	['session: execute', [1, 300], (timeout) => also({ timeout })],
	['monitor: create', [1, 365], (retentionDays) => also({ retentionDays })],
	[
		'monitor: create',
		[1, 50],
		(maxResults) => ({
			targets: { values: [{ ...search.values[0], maxResults }] },
			...also({ goal: 'A' }),
		}),
	],
])('%s takes a number from %j, as the service does, and no other', (name, [least, most], set) => {
	const { schema, read } = operationNamed(name);
	const refused = (value: number) =>
		refusals(schema, read({ ...needed[name], ...set(value) })).length > 0;
	expect([least - 1, least, most, most + 1].map(refused)).toEqual([true, false, false, true]);
});

const operations = resources.flatMap(({ operations: all }) => all);

it('every operation names each required field that is empty', () => {
	for (const { fields, schema, read } of operations) {
		const required = fields.filter((field) => field.required && !field.displayOptions);
		const said = refusals(schema, read({}));
		for (const { name } of required) expect(said).toContain(`${name} is required`);
	}
});

it('no ID of an operation is a way to another path', () => {
	const names = ['jobId', 'monitorId', 'checkId', 'snapshotId', 'sessionId', 'id'];
	const ids = operations.flatMap(({ fields, schema, read }) =>
		fields.filter(({ name }) => names.includes(name)).map(({ name }) => ({ name, schema, read })),
	);
	expect(ids.length).toBeGreaterThan(20);
	for (const { name, schema, read } of ids) {
		for (const given of ['..', '.']) {
			const own = refusals(schema, read({ [name]: given })).filter((each) => each.startsWith(name));
			expect(own).toEqual([expect.stringMatching(/ must be an ID/)]);
		}
	}
});
