import { countTo, spreadOf, type Bench, type Figure } from '../bench.cjs';
import type { HostilePause, HostileResponse } from '../hostileProcess.cjs';
import { Remote } from '../../test/remote.cjs';

/** Bytes of a response. */
const size = 1_000_000;

const search = { resource: 'search', operation: 'query', query: 'tides', limit: 5 };
const passages = { ...search, operation: 'passages' };
const scrape = { resource: 'page', operation: 'scrape', url: 'https://tidewatch.example' };

const nested = '['.repeat(size / 2) + ']'.repeat(size / 2);
const found = (web: string) => `{"success":true,"creditsUsed":1,"id":"1","data":{"web":${web}}}`;
const read = (document: string) => `{"success":true,"data":{"metadata":{},${document}}}`;
const manyResults = found(
	`[${Array(size / 20)
		.fill('{"url":"https://a"}')
		.join()}]`,
);

const refused = (details: unknown) =>
	JSON.stringify({ success: false, error: 'Bad request', details });

const keys = Object.fromEntries(countTo(100_000).map((key) => [`key${key}`, 1]));

/** Issues with unions of issues below them, fifty each. */
const unions = (depth: number): object[] =>
	Array<object>(50).fill({
		code: 'invalid_union',
		path: ['a'],
		message: 'Invalid',
		errors: depth === 0 ? [] : [unions(depth - 1)],
	});

/** The worst that a service can respond; deliveries to the trigger are held to linear work by test/unit. */
const responses: Record<string, HostileResponse> = {
	'502 of <': { status: 502, body: '<'.repeat(size), parameters: search },
	'400 that says .': {
		status: 400,
		body: JSON.stringify({ success: false, error: '.'.repeat(size) }),
		parameters: search,
	},
	"slashes in a result's URL": {
		body: found(`[{"url":"https://a.example${'/'.repeat(size)}x"}]`),
		parameters: search,
	},
	'= in a text': { body: read(`"rawBase64":"${'='.repeat(size)}"`), parameters: scrape },
	'many results': { body: manyResults, parameters: search },
	'passages of many results': { body: manyResults, parameters: passages },
	'nested lists': { body: read(`"json":${nested}`), parameters: scrape },
	'a page for an AI model': {
		body: read(`"markdown":"${'\\n'.repeat(size / 2)}"`),
		parameters: scrape,
		isTool: true,
	},
	'passages of headings (5 MB)': {
		body: found(`[{"url":"https://a","metadata":{},"markdown":"${'# a\\n'.repeat(size)}"}]`),
		parameters: passages,
	},
	'passages of sentences (5 MB)': {
		body: found(`[{"url":"https://a","markdown":"${'High tide is at ten. '.repeat(size / 4)}"}]`),
		parameters: { ...passages, query: 'When is high tide today? Who waits at the harbour for it?' },
	},
	'half characters for an AI model': {
		body: read(`"markdown":"${'\\ud800'.repeat(size / 3)}"`),
		parameters: scrape,
		isTool: true,
	},
	'a nested list for an AI model': {
		body: read(`"json":{"list":[${Array(200_000).fill('[1]').join()}]}`),
		parameters: scrape,
		isTool: true,
	},
	'many keys for an AI model': {
		body: read(`"json":${JSON.stringify(keys)}`),
		parameters: scrape,
		isTool: true,
	},
	'400 with many keys': { status: 400, body: refused(keys), parameters: search },
	'200 that failed with many keys': { body: refused(keys), parameters: search },
	'400 with unions of unions': { status: 400, body: refused(unions(2)), parameters: search },
	'a list for an AI model': { body: manyResults, parameters: search, isTool: true },
};

/** The longest pause of the event loop for the worst megabyte of each kind that a service can send. */
export const hostile: Bench = {
	about: `longest pause of the event loop for the worst ${size / 1e6} MB of each kind (ms)`,
	async run(repeats) {
		const remote = new Remote<HostileResponse, HostilePause>('bench/hostileProcess.cjs');
		const figures: Figure[] = [];
		try {
			for (const [name, response] of Object.entries(responses)) {
				const pauses: HostilePause[] = [];
				// The first loads and compiles.
				for (const round of countTo(repeats + 1)) {
					const pause = await remote.ask(response);
					if (round > 1) pauses.push(pause);
				}
				figures.push({
					name,
					ours: spreadOf(pauses.map(({ node }) => node)),
					others: { 'JSON.parse alone': spreadOf(pauses.map(({ floor }) => floor)) },
					goal: { most: 100 },
				});
			}
		} finally {
			await remote.end();
		}
		return figures;
	},
};
