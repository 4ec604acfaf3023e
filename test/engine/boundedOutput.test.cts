import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { projectRoot } from '../root.cjs';
import { hostilePages } from '../mock/site/hostilePages.cjs';
import { inBody } from './answerContent.cjs';
import { useAnswerProxy, type Change, type ServiceAnswer } from './answerProxy.cjs';
import { useDrivenTime } from './drivenTime.cjs';
import { inMemory } from './file/inputFiles.cjs';
import type { EngineRun } from './harness.cjs';
import { inWords, type OperationName } from './operationNames.cjs';
import { useTestBed } from './testBed.cjs';
import { Fixtures, validParameters } from './validParameters.cjs';

const documentation = readFileSync(join(projectRoot, 'docs/items.md'), 'utf8').replace(/\s+/g, ' ');

/** A number that the documentation states. @throws where it states none */
function stated(pattern: RegExp): number {
	const [, digits] = pattern.exec(documentation) ?? [];
	if (digits === undefined) throw new Error(`docs/items.md does not state ${String(pattern)}`);
	return Number(digits.replaceAll(',', ''));
}

const sum = (numbers: number[]): number => numbers.reduce((all, each) => all + each, 0);

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

/** An operation with parameters of its own. */
interface Case extends OperationName {
	words: string;
	set?: INodeParameters;
	/** Number of input items; 1 when left out. */
	input?: number;
}

const raw = { options: { output: 'raw' } };

/** What repeats parts of a response, or links items to many others; and one operation of each other kind. */
const cases: Case[] = [
	{ resource: 'search', operation: 'query', words: 'pages', set: { scrapeResults: true } },
	{ resource: 'search', operation: 'query', words: 'raw', set: { scrapeResults: true, ...raw } },
	{
		resource: 'search',
		operation: 'passages',
		words: 'many',
		set: { additionalFields: { maxTokens: 20_000 } },
	},
	{ resource: 'page', operation: 'scrape', words: 'one page' },
	{ resource: 'batch', operation: 'run', words: 'for many items', input: 30 },
	{ resource: 'crawl', operation: 'run', words: 'pages' },
	{ resource: 'map', operation: 'get', words: 'links' },
	{ resource: 'agent', operation: 'run', words: 'a run' },
	{ resource: 'monitor', operation: 'getCheck', words: 'all pages', set: { returnAll: true } },
	{ resource: 'paper', operation: 'search', words: 'papers' },
];

const prose = (size: number): string => 'tide '.repeat(size / 5);

const isRecord = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A page whose headings, and the head of whose table, stand above many short parts of it. */
const page = [
	hostilePages['nested long headings above many short blocks'](60_000),
	hostilePages['a long table head above many short rows'](60_000),
].join('\n\n');

/** Texts, titles and URLs made long, and pages replaced: each begins in its own way, so that no two share it. */
function withLongTexts(answer: ServiceAnswer): ServiceAnswer {
	let count = 0;
	const { body, ...rest } = inBody((value, name) => {
		if (typeof value !== 'string') return value;
		count += 1;
		if (/^(markdown|html|rawHtml|text|content)$/.test(name))
			return page.replace('tide', `${count}`);
		return `${count} ${prose(name === 'title' ? 30_000 : 1_000)}`;
	})(answer);
	const text = JSON.stringify(body).replace(
		/"https?:\/\/[^/"]+\.example\b[^"]*/g,
		(url) => `${url}${url.includes('?') ? '&' : '?'}${'x'.repeat(30_000)}`,
	);
	return { ...rest, body: JSON.parse(text) as unknown };
}

/** An entry as small as its kind allows: two of its texts, its addresses, and nothing in its lists. */
function small(entry: unknown): unknown {
	if (typeof entry === 'string') return entry.slice(0, 60);
	if (Array.isArray(entry)) return [];
	if (!isRecord(entry)) return entry;
	const kept = Object.entries(entry).filter(
		([name, member], index) => index < 2 || /url/i.test(name) || isRecord(member),
	);
	return Object.fromEntries(kept.map(([name, member]) => [name, small(member)]));
}

/** Many entries, and beside them a long value and very many long warnings. */
function withManyEntries(answer: ServiceAnswer): ServiceAnswer {
	const someEntry = { id: '7', url: 'https://tidewatch.example/', title: 'Tides' };
	const { body, ...rest } = inBody((value) =>
		Array.isArray(value)
			? Array.from({ length: 1_000 }, () => small(value.length > 0 ? value[0] : someEntry))
			: value,
	)(answer);
	const beside = {
		about: { tides: prose(30_000) },
		warnings: Array.from({ length: 110 }, (_, index) => `${index} ${prose(1_200)}`),
	};
	const data: unknown = Reflect.get(Object(body), 'data');
	const within = isRecord(data) && { data: { ...data, ...beside } };
	return { ...rest, body: { ...Object(body), ...beside, ...within } };
}

const refused: Change = () => ({
	status: 400,
	type: 'application/json',
	body: {
		success: false,
		code: 'BAD_REQUEST',
		error: prose(20_000),
		runId: prose(20_000),
		upgrade_url: prose(20_000),
		login_url: prose(20_000),
		requiresAction: { url: prose(20_000), terms: prose(20_000), version: prose(20_000) },
		details: Array.from({ length: 100 }, (_, index) => ({
			path: [`field ${index}`],
			message: `${index} ${prose(500)}`,
		})),
	},
});

/** Jobs that have failed with many words. */
const failedJobs: Change = ({ body, ...answer }) => ({
	...answer,
	body:
		isRecord(body) && 'status' in body && !('id' in body)
			? { ...body, status: 'failed', error: prose(100_000) }
			: body,
});

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

const itemBytes = ({ json, error }: INodeExecutionData): number => bytesOf(json) + bytesOf(error);

const linksOf = ({ pairedItem }: INodeExecutionData): number => [pairedItem].flat().length;

/** Sizes of what comes out of an operation, counted in bytes where n8n stores JSON. */
describe('what comes out is bounded', () => {
	const testBed = useTestBed();
	const proxy = useAnswerProxy(() => testBed.service.url);
	const time = useDrivenTime(
		() => testBed.service,
		() => proxy.isBusy,
	);

	const run = async (one: Case, change: Change, type = 'webData'): Promise<EngineRun> => {
		const { service, engine } = testBed;
		const account = testBed.account();
		const parameters = await validParameters(one, new Fixtures(service, account));
		await time.pass(60_000);
		account.credentials.webDataApi.baseUrl = proxy.url;
		proxy.change(change);
		const input = Array.from({ length: one.input ?? 1 }, (_, index) => ({
			json: { tag: `a${index}` },
			binary: { data: inMemory('fees.html', 'text/html', '<h1>Fees</h1>') },
		}));
		const set = { ...parameters, ...one.set };
		const node = { type: engine.typeName(type) };
		const execution = testBed.begin(one.resource, one.operation, set, { account, input, node });
		return await time.drive(execution.done);
	};

	/** What is larger than it may be, or did not come out at all. */
	async function findingsOf(one: Case, change: Change, shared: number) {
		const execution = await run(one, change);
		const { error } = execution;
		const items = error ? [] : execution.output();
		const hints = execution.hints().map(({ message }) => message);
		const hasParts = one.operation === 'passages';
		const times = hasParts ? limits.timesInLists : limits.times;
		const perItem = limits.perItem + (hasParts ? limits.title + limits.url : 0);
		const most = times * proxy.sent + perItem * items.length + shared;
		const sizes: Array<[what: string, size: number, most: number]> = [
			['bytes', sum(items.map(itemBytes)), most],
			['links', sum(items.map(linksOf)), limits.links * ((one.input ?? 1) + items.length)],
			['notices', hints.length, limits.notices + 1],
			['notice', Math.max(0, ...hints.map(({ length }) => length)), limits.notice + '…'.length],
			['message', error?.message.length ?? 0, limits.message],
			['description', error?.description?.length ?? 0, limits.description],
		];
		const tooLarge = sizes.filter(([, size, limit]) => size > limit).map((each) => each.join(' '));
		return { outcome: error ? `error: ${error.message}` : `${items.length} items`, tooLarge };
	}

	it.each<[string, Change, shared: number, outcomes: RegExp, atLeast: number]>([
		['pages of long heads with long titles and URLs', withLongTexts, 0, /^[1-9]\d* items/, 8],
		['many small entries beside long values', withManyEntries, limits.shared, /^[1-9]\d* items/, 8],
		['errors of many words', refused, 0, /^error/, 8],
		['jobs that failed with many words', failedJobs, limits.shared, /^error/, 1],
	])('from %s', async (_words, change, shared, expected, atLeast) => {
		const outcomes: string[] = [];
		for (const one of cases) {
			const { outcome, tooLarge } = await findingsOf(one, change, shared);
			expect([inWords(one), one.words, ...tooLarge]).toEqual([inWords(one), one.words]);
			outcomes.push(outcome);
		}
		// What is bounded did come out: items, or the service's own errors.
		expect(outcomes.filter((outcome) => expected.test(outcome)).length).toBeGreaterThanOrEqual(
			atLeast,
		);
	});

	it('as a tool', async () => {
		for (const one of cases) {
			const execution = await run(one, withLongTexts, 'webDataTool');
			const told = execution.output().map(({ json }) => json);
			expect(JSON.stringify(told).length).toBeLessThanOrEqual(limits.toolResult);
			expect(JSON.stringify(told).length).toBeGreaterThan(1_000);
		}
	});
});
