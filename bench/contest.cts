import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { everyScrapeOption, someActions } from '../test/engine/everyScrapeOption.cjs';
import type { NodeRunOptions } from '../test/engine/harness.cjs';
import { projectRoot } from '../test/root.cjs';
import { countTo } from './bench.cjs';
import { Remote } from '../test/remote.cjs';

/** A node that is measured: this pack's, the official one's, and the smallest there can be. */
export type Contender = 'ours' | 'peer' | 'smallest';

/** Requests that each contender sends in its own way: one for each item. */
export type Task = 'search' | 'scrape';

export interface Workload {
	task: Task;
	/** Base URL with its version. */
	url: string;
	items: number;
	/** Requests in flight of the smallest node; this pack adapts, and the official one has no bound. */
	width: number;
}

/** The cost of an execution, in milliseconds. */
export interface Cost {
	wall: number;
	/** Processor time of the process. */
	cpu: number;
}

/** Orders to the API's process: the time to each response, in milliseconds. It answers with its base URL. */
export interface ApiOrder {
	latency: number;
}

/** Items of the run that does not count. */
const warmUp = 250;

/** A contender in a process of its own. It throws if an item got no response. */
export const contenderProcess = (contender: Contender): Remote<Workload, Cost> =>
	new Remote('bench/clientProcess.cjs', {
		env: { BENCH_CONTENDER: contender },
		execArgv: ['--expose-gc'],
	});

/** An API in a process of its own, which responds as cheaply as can be: it must not be what is measured. */
export const apiProcess = (): Remote<ApiOrder, string> => new Remote('bench/apiProcess.cjs');

/** Lets the contenders do the same in turn, after a short run that does not count. @throws if an item of anybody got no response */
export async function contest(
	contenders: readonly Contender[],
	workload: Omit<Workload, 'url'> & ApiOrder,
	repeats: number,
): Promise<Record<Contender, Cost[]>> {
	const api = apiProcess();
	const clients = contenders.map((contender) => ({
		contender,
		client: contenderProcess(contender),
	}));
	const costs: Record<Contender, Cost[]> = { ours: [], peer: [], smallest: [] };
	try {
		const url = await api.ask({ latency: workload.latency });
		for (const round of [0, ...countTo(repeats)]) {
			for (const { contender, client } of clients) {
				const items = round === 0 ? Math.min(warmUp, workload.items) : workload.items;
				const cost = await client.ask({ ...workload, items, url });
				if (round > 0) costs[contender].push(cost);
			}
		}
	} finally {
		await Promise.all([api.end(), ...clients.map(async ({ client }) => await client.end())]);
	}
	return costs;
}

/** The package that holds a contender's node. */
export function packageOf(contender: Contender): string {
	if (contender === 'peer') {
		const kit = process.env.WEB_DATA_PEER ?? '';
		return join(kit, 'node_modules/@mendable/n8n-nodes-firecrawl');
	}
	return contender === 'ours' ? projectRoot : join(projectRoot, 'bench/smallest');
}

const subject = '={{ $json.subject }}';

const ours: Record<Task, INodeParameters> = {
	search: { resource: 'search', operation: 'query', query: subject, limit: 5 },
	scrape: {
		resource: 'page',
		operation: 'scrape',
		url: subject,
		formats: ['markdown', 'links'],
		actions: { ...someActions },
		additionalFields: { ...everyScrapeOption },
	},
};

/** The official pack's, with every scrape option that it has. */
const peer: Record<Task, INodeParameters> = {
	search: { resource: 'MapSearch', operation: 'search', query: subject, limit: 5 },
	scrape: {
		resource: 'Scraping',
		operation: 'scrape',
		url: subject,
		parsers: ['pdf'],
		profile: { settings: { name: 'shop', saveChanges: false } },
		scrapeOptions: {
			options: {
				formats: { format: [{ type: 'markdown' }, { type: 'links' }] },
				onlyMainContent: false,
				headers: { key: 'Cookie', value: 'a=1' },
				waitFor: 0,
				mobile: true,
				skipTlsVerification: false,
				timeout: 40_000,
				removeBase64Images: false,
				blockAds: false,
				storeInCache: false,
				proxy: 'stealth',
				actions: {
					items: [
						{ type: 'click', selector: '#more' },
						{ type: 'wait', milliseconds: 500 },
					],
				},
				location: { settings: { country: 'DE', languages: { language: [{ code: 'de-DE' }] } } },
				includeTags: { items: [{ tag: 'article' }, { tag: '.price' }] },
				excludeTags: { items: [{ tag: 'nav' }, { tag: '.ad' }] },
			},
		},
	},
};

/** What the smallest node sends beside the item's own subject: as many options as the others. */
const smallest: Record<Task, INodeParameters> = {
	search: { path: '/search', member: 'query', subject, options: JSON.stringify({ limit: 5 }) },
	scrape: {
		path: '/scrape',
		member: 'url',
		subject,
		options: JSON.stringify({
			formats: [{ type: 'markdown' }, { type: 'links' }],
			actions: someActions,
			...everyScrapeOption,
		}),
	},
};

/** How a contender's node does a workload in n8n's engine; `label` makes the subjects of a run its own. */
export function nodeRun(
	contender: Contender,
	{ task, url, items, width }: Workload,
	label: string,
): NodeRunOptions {
	const subjectOf = (index: number) =>
		task === 'scrape' ? `https://example.com/${label}/${index}` : `${label} ${index}`;
	const common: Pick<NodeRunOptions, 'input' | 'mode' | 'onError'> = {
		input: Array.from({ length: items }, (_, index) => ({ subject: subjectOf(index) })),
		mode: 'trigger',
		// Otherwise few items are in flight, since the first failure would lose their results.
		onError: 'continueRegularOutput',
	};
	const key = 'key';
	const asked: Record<Contender, Pick<NodeRunOptions, 'credentials' | 'node' | 'parameters'>> = {
		ours: { credentials: { webDataApi: { baseUrl: url, apiKey: key } }, parameters: ours[task] },
		peer: {
			credentials: { firecrawlApi: { baseUrl: url, apiKey: key } },
			node: { type: '@mendable/n8n-nodes-firecrawl.firecrawl' },
			parameters: peer[task],
		},
		smallest: {
			credentials: { smallestApi: { baseUrl: url, key } },
			node: { type: 'n8n-nodes-smallest.smallest' },
			parameters: { ...smallest[task], width },
		},
	};
	return { ...common, ...asked[contender] };
}
