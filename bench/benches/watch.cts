import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { IDataObject, INode } from 'n8n-workflow';
import { comparedUrl } from '../../nodes/WebData/fields/url';
import { pageWatch } from '../../nodes/WebDataPollingTrigger/pageWatch';
import { siteWatch } from '../../nodes/WebDataPollingTrigger/searchWatch';
import type { CheckContext, Finding } from '../../nodes/WebDataPollingTrigger/watch';
import { spreadOf, type Bench, type Figure } from '../bench.cjs';
import { WatchedShop } from '../watchedShop.cjs';

const [pagesOfEach, checks] = [100, 60];

const node: INode = {
	id: 'watch',
	name: 'Watch',
	type: 'webDataPollingTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** What a check needs of n8n: looks at pages, and a map. */
const contextOf = (given: Pick<CheckContext, 'runKept'> & Partial<CheckContext>): CheckContext => ({
	errorSource: { node, itemIndex: 0, fields: [], redact: String },
	settings: { maxWait: 4, output: 'simplified' } as CheckContext['settings'],
	requests: [],
	send: async () => await Promise.reject(new Error('Nothing is sent')),
	notice: () => undefined,
	remark: () => undefined,
	recordCost: () => undefined,
	trigger: { firstCheck: 'none', ignoreQueryParameters: [], executions: 'one' },
	isManual: false,
	now: new Date(),
	...given,
});

/** A start of a workflow for a page. */
interface Start {
	shop: WatchedShop;
	check: number;
	/** The changed values, as far as they are known. */
	lines: string;
	change: unknown;
}

/** What a way to watch has started. */
interface Outcome {
	told: number;
	twice: number;
	others: number;
	failed: number;
}

/** Compares the starts with what was true of the pages. */
function outcomeOf(shops: WatchedShop[], starts: Start[], namesValues: boolean): Outcome {
	const failed = starts.filter(({ change }) => change === 'failed');
	const left = new Set(starts.filter(({ change }) => change !== 'failed'));
	let [told, twice] = [0, 0];
	for (const shop of shops) {
		for (const { from, to, path } of shop.changes) {
			const own = [...left].filter(
				(start) =>
					start.shop === shop &&
					start.check >= from &&
					start.check <= to &&
					(!namesValues || start.lines.includes(path)),
			);
			if (own.length > 0) told += 1;
			if (own.length > 1) twice += own.length - 1;
			for (const start of own) left.delete(start);
		}
	}
	return { told, twice, others: left.size, failed: failed.length };
}

/** Lets pages live, watched by the node, by a hash of their text, and by their JSON. */
async function simulated(kind: 'fields' | 'product') {
	const shops = Array.from(
		{ length: pagesOfEach },
		(_, index) =>
			new WatchedShop(`https://shop.example/${kind}/${index}`, kind, 67_000 + index, checks),
	);
	const byUrl = new Map(shops.map((shop) => [comparedUrl(shop.url), shop]));
	const request = {
		urls: shops.map(({ url }) => url),
		compare: kind,
		ignoreLines: [],
		minChange: 5,
		confirmChanges: true,
	};
	const starts: Record<'node' | 'text' | 'json', Start[]> = { node: [], text: [], json: [] };
	const last = new Map<string, string>();
	let state: IDataObject | undefined;
	let looks = 0;
	let size = 0;
	for (let check = 0; check < checks; check += 1) {
		for (const shop of shops) shop.next(check);
		let isFirst = true;
		const context = contextOf({
			runKept: async (_job, { body }) => {
				const urls: string[] = Object(body).urls;
				const documents: IDataObject[] = [];
				for (const url of urls) {
					const shop = byUrl.get(comparedUrl(url));
					if (!shop) continue;
					const document = await shop.look();
					documents.push(document);
					looks += 1;
					if (!isFirst) continue;
					const now = {
						text: document.markdown,
						json: JSON.stringify(document.json ?? document.product),
					};
					for (const way of ['text', 'json'] as const) {
						const before = last.get(`${way} ${url}`);
						last.set(`${way} ${url}`, String(now[way]));
						if (before !== undefined && before !== String(now[way]))
							starts[way].push({ shop, check, lines: '', change: 'changed' });
					}
				}
				isFirst = false;
				return documents.map((json) => ({ json }));
			},
		});
		const { found, nextState } = await pageWatch.check(request, state, context);
		state = nextState;
		size = Math.max(size, Buffer.byteLength(JSON.stringify(state)));
		for (const { isExisting, result } of found as Finding[]) {
			const { url, change, diff } = result.json;
			const shop = byUrl.get(comparedUrl(String(url)));
			if (isExisting || !shop) continue;
			starts.node.push({ shop, check, change, lines: String(Object(diff).text) });
		}
	}
	return { shops, starts, looks, size };
}

const figure = (name: string, value: number, goal?: Figure['goal']): Figure => ({
	name,
	ours: spreadOf([value]),
	goal,
});

/** The longest time for which nothing else could run while 50,000 URLs of a site are compared, in milliseconds. */
async function longestPauseOfSite(): Promise<number> {
	const links = Array.from({ length: 50_000 }, (_, at) => ({
		url: `https://site.example/pages/${at}`,
	}));
	const body = { success: true, links };
	const context = contextOf({
		runKept: async () => await Promise.resolve([]),
		send: async () => await Promise.resolve({ status: 200, headers: {}, body }),
	});
	const request = { url: 'https://site.example', limit: 50_000 };
	const { nextState } = await siteWatch.check(request, undefined, context);
	const delays = monitorEventLoopDelay({ resolution: 1 });
	delays.enable();
	await siteWatch.check(request, nextState, context);
	await new Promise((resolve) => setTimeout(resolve, 20));
	delays.disable();
	return delays.max / 1e6;
}

/** Whether a watch starts a workflow once for each change, and for nothing else. */
export const watch: Bench = {
	about: `${2 * pagesOfEach} pages with ${checks} checks each, true changes and noise, Minimum Change 5 %`,
	async run() {
		const runs = [await simulated('fields'), await simulated('product')];
		const sum = (of: (run: (typeof runs)[number]) => number) =>
			runs.reduce((all, run) => all + of(run), 0);
		const outcomes = (way: 'node' | 'text' | 'json') => {
			const each = runs.map(({ shops, starts }) => outcomeOf(shops, starts[way], way === 'node'));
			return (name: keyof Outcome) => each.reduce((all, outcome) => all + outcome[name], 0);
		};
		const [own, text, json] = [outcomes('node'), outcomes('text'), outcomes('json')];
		const inShops = (of: (shop: WatchedShop) => unknown[]) =>
			sum(({ shops }) => shops.flatMap(of).length);
		const changes = inShops((shop) => shop.changes);
		const walls = inShops((shop) => shop.walls);
		const noise = Object.values(WatchedShop.noisy).reduce((all, each) => all + each, 0);
		const size = Math.max(...runs.map((run) => run.size));
		const shareOfLooks = (100 * sum(({ looks }) => looks)) / (2 * pagesOfEach * checks);
		return [
			figure('true changes', changes),
			figure('noise', noise),
			figure('the node: changes reported', own('told'), { least: changes }),
			figure('the node: reported again', own('twice'), { most: 0 }),
			figure('the node: other starts', own('others'), { most: 0 }),
			figure('the node: checks that met only a wall', walls),
			figure('the node: failed', own('failed'), { most: walls }),
			figure('a hash of the text: changes reported', text('told')),
			figure('a hash of the text: other starts', text('others') + text('twice')),
			figure('a comparison of the JSON: changes reported', json('told')),
			figure('a comparison of the JSON: other starts', json('others') + json('twice')),
			figure('scrapes for a check (%)', shareOfLooks),
			figure('static data of 100 pages (kB)', size / 1000, { most: 1000 }),
			figure('longest pause with 50,000 URLs of a site (ms)', await longestPauseOfSite(), {
				most: 100,
			}),
		];
	},
};
