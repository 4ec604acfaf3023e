import { countTo, spreadOf, type Bench, type Figure } from '../bench.cjs';
import type { HostilePause, HostileResponse } from '../hostileProcess.cjs';
import { Remote } from '../remote.cjs';

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

/** The worst that a service can respond; deliveries to the trigger are held to linear work by test/fuzz. */
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
	'a list for an AI model': { body: manyResults, parameters: search, isTool: true },
};

/** The longest pause of the event loop for the worst megabyte of each kind that a service can send. */
export const hostile: Bench = {
	about: `longest pause of the event loop for the worst ${size / 1e6} MB of each kind (ms)`,
	async run(repeats) {
		const remote = new Remote<HostileResponse, HostilePause>('hostileProcess.cjs');
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
