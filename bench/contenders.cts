import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { everyScrapeOption, someActions } from '../test/engine/everyScrapeOption.cjs';
import type { NodeRunOptions } from '../test/engine/harness.cjs';
import { projectRoot } from '../test/root.cjs';

/** Who is measured: this pack, the official one, the smallest node there can be, and no n8n at all. */
export type Contender = 'ours' | 'peer' | 'smallest' | 'raw' | 'raw anew';

/** What the tables call them. */
export const titles: Record<Contender, string> = {
	ours: 'this pack',
	peer: 'official pack',
	smallest: 'smallest node',
	raw: 'undici alone',
	'raw anew': 'undici, a connection each',
};

/** A piece of work that each contender does in its own way. */
export type Task =
	| { kind: 'search' }
	| { kind: 'scrape' }
	| { kind: 'agent' }
	| { kind: 'crawl'; url: string; pages: number };

/** Where to, and how much of it. */
export interface Workload {
	task: Task;
	/** Base URL with its version. */
	url: string;
	key: string;
	/** Input items. */
	items: number;
	/** Requests in flight; the official pack knows no bound. */
	width: number;
	/** Whether this pack finds the requests in flight by itself. */
	isAutomatic?: boolean;
	/** Whether items that fail leave the others alone. */
	goOn?: boolean;
}

/** Where the folder of the official pack is. */
const peerFolder = () =>
	join(process.env.WEB_DATA_PEER ?? '', 'node_modules/@mendable/n8n-nodes-firecrawl');

/** The package that holds a contender's node. */
export function packageOf(contender: Contender): string {
	if (contender === 'peer') return peerFolder();
	return contender === 'ours' ? projectRoot : join(projectRoot, 'bench/smallest');
}

const oursFor: Record<Task['kind'], (task: Task) => INodeParameters> = {
	search: () => ({
		resource: 'search',
		operation: 'query',
		query: '={{ $json.subject }}',
		limit: 5,
	}),
	scrape: () => ({
		resource: 'page',
		operation: 'scrape',
		url: '={{ $json.subject }}',
		formats: ['markdown', 'links'],
		actions: { ...someActions },
		additionalFields: { ...everyScrapeOption },
	}),
	agent: () => ({ resource: 'agent', operation: 'run', prompt: '={{ $json.subject }}' }),
	crawl: (task) => ({
		resource: 'crawl',
		operation: 'run',
		...('url' in task && { url: task.url, limit: task.pages }),
		additionalFields: { sitemap: 'only' },
	}),
};

/** The options that the official pack has, with every one of them set. */
const peerScrapeOptions: INodeParameters = {
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
};

function peerFor(task: Task): INodeParameters {
	switch (task.kind) {
		case 'search':
			return {
				resource: 'MapSearch',
				operation: 'search',
				query: '={{ $json.subject }}',
				limit: 5,
			};
		case 'scrape':
			return {
				resource: 'Scraping',
				operation: 'scrape',
				url: '={{ $json.subject }}',
				parsers: ['pdf'],
				scrapeOptions: peerScrapeOptions,
				profile: { settings: { name: 'shop', saveChanges: false } },
			};
		case 'agent':
			return {
				resource: 'Agent',
				operation: 'agent',
				prompt: '={{ $json.subject }}',
				maxWaitTime: 3600,
			};
		default:
			throw new Error(`The official pack cannot do this: ${task.kind}`);
	}
}

/** What the smallest node and the raw client send beside the item's own subject: as many options as the others. */
export function optionsOf({ kind }: Task): object {
	return kind === 'scrape' ? everyOption : { limit: 5 };
}

const everyOption = {
	formats: [{ type: 'markdown' }, { type: 'links' }],
	actions: someActions,
	...everyScrapeOption,
};

/** The path of a task, and the member of the body that each item has its own of. */
export const requestOf = ({ kind }: Task) =>
	kind === 'scrape'
		? ({ path: '/scrape', member: 'url' } as const)
		: ({ path: '/search', member: 'query' } as const);

/** What each item asks about. */
export const subjectOf = ({ kind }: Task, index: number, label: string) =>
	kind === 'scrape' ? `https://example.com/${label}/${index}` : `${label} ${index}`;

/** How a contender's node does a workload in n8n's engine. */
export function nodeRun(
	contender: Contender,
	{ task, url, key, items, width, isAutomatic = false, goOn = false }: Workload,
	label: string,
): NodeRunOptions {
	const common: Pick<NodeRunOptions, 'input' | 'onError' | 'mode'> = {
		input: Array.from({ length: items }, (_, index) => ({
			subject: subjectOf(task, index, label),
		})),
		onError: goOn ? 'continueRegularOutput' : 'stopWorkflow',
		mode: 'trigger',
	};
	if (contender === 'ours') {
		return {
			...common,
			credentials: { webDataApi: { baseUrl: url, apiKey: key } },
			parameters: {
				...oursFor[task.kind](task),
				...(isAutomatic ? {} : { limits: { maxConcurrency: width } }),
			},
		};
	}
	if (contender === 'peer') {
		return {
			...common,
			credentials: { firecrawlApi: { baseUrl: url, apiKey: key } },
			node: { type: '@mendable/n8n-nodes-firecrawl.firecrawl' },
			parameters: peerFor(task),
		};
	}
	const { path, member } = requestOf(task);
	return {
		...common,
		credentials: { smallestApi: { baseUrl: url, key } },
		node: { type: 'n8n-nodes-smallest.smallest' },
		parameters: {
			path,
			member,
			subject: '={{ $json.subject }}',
			options: JSON.stringify(optionsOf(task)),
			width,
		},
	};
}
