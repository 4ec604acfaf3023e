import type { IDataObject } from 'n8n-workflow';
import { sync } from '../../../../../nodes/WebData/resources/site/sync';
import { WorkMeter } from '../../../../faults/workMeter.cjs';
import { recordedCall, requestOf } from '../../../calls.cjs';

const start = 'https://example.com/docs';

/** Pages of a site, as a job gives them. */
const sites: Record<string, (page: number) => { asked: string; url: string }> = {
	'at their own URLs': (page) => ({ asked: `${start}/${page}`, url: `${start}/${page}` }),
	'that redirect': (page) => ({ asked: `${start}/${page}`, url: `${start}/to/${page}` }),
	'that all say they were the start page': (page) => ({
		asked: start,
		url: `https://example.com/${page}`,
	}),
};

const documentsOf = (site: string, count: number): IDataObject[] =>
	Array.from({ length: count }, (_, page) => {
		const { asked, url } = sites[site](page);
		const metadata = { title: 'Page', sourceURL: asked, url, statusCode: 200 };
		return { markdown: `Text ${page}`, metadata };
	});

/** Counts the URLs that are parsed meanwhile. */
async function parsesDuring(work: () => Promise<unknown>): Promise<number> {
	const { URL: original } = globalThis;
	let parses = 0;
	globalThis.URL = class extends original {
		constructor(...given: ConstructorParameters<typeof original>) {
			parses += 1;
			super(...given);
		}
	};
	try {
		await work();
		return parses;
	} finally {
		globalThis.URL = original;
	}
}

describe.each(['crawl', 'map'])('a website that is synced by a %s', (strategy) => {
	const meter = new WorkMeter();
	afterEach(() => meter.stop());

	/** What a second sync of a site does in all: how often it parses a URL, and hashes a text. */
	async function workOn(site: string, count: number) {
		const documents = documentsOf(site, count);
		const links = documents.map(({ metadata }) => (metadata as IDataObject).sourceURL as string);
		const state = { status: 'completed', total: count, completed: count, creditsUsed: count };
		const bodies = [
			...(strategy === 'map' ? [{ success: true, links }] : []),
			{ ...state, data: documents },
			{ errors: [], robotsBlocked: [] },
		];
		const parameters = { url: start, strategy, limit: 20_000 };
		const call = recordedCall(...bodies, ...bodies);
		const run = async () =>
			await sync.run(requestOf(sync, parameters), {
				...call,
				runJob: async ({ finish }) => await finish({ id: 'job', ...state }, call),
			});
		await run();
		meter.start(() => 1e9);
		const parses = await parsesDuring(run);
		meter.stop();
		return { parses, digests: meter.digests, steps: meter.work };
	}

	it.each(Object.keys(sites))('takes a few steps for each page: %s', async (site) => {
		const few = await workOn(site, 100);
		const many = await workOn(site, 1_000);

		const perPage = (of: keyof typeof few) => (many[of] - few[of]) / 900;
		// By a map, each URL is met as a link, too, which the batch parses to check it.
		expect(perPage('parses')).toBeLessThanOrEqual(strategy === 'map' ? 12 : 6);
		// Two IDs of each URL, a state, and for a chunk its ID and its text.
		expect(perPage('digests')).toBeLessThanOrEqual(7);
		expect(many.steps).toBeLessThan(12 * few.steps);
	});
});
