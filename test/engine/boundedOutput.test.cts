import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { projectRoot } from '../root.cjs';
import { useAnswerProxy, type Change } from './answerProxy.cjs';
import { useDrivenTime } from './drivenTime.cjs';
import { inMemory } from './file/inputFiles.cjs';
import type { EngineRun } from './harness.cjs';
import { hugenesses } from './hugeAnswers.cjs';
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
		if (one.operation === 'cancel') service.context.pageJobs.paces.set({ pageMs: 3_600_000 });
		const account = testBed.account();
		const parameters = await validParameters(one, new Fixtures(service, account));
		await time.pass(60_000);
		if (one.operation === 'getSnapshot') {
			const found = service.context.agents.find(account.team.id, String(parameters.jobId));
			[parameters.snapshotId] = found?.snapshots.keys() ?? [];
		}
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
	async function findingsOf(one: Case, { change, sharesValues }: (typeof hugenesses)[number]) {
		const execution = await run(one, change);
		const { error } = execution;
		const items = error ? [] : execution.output();
		const hints = execution.hints().map(({ message }) => message);
		const hasParts = one.operation === 'passages';
		const times = hasParts ? limits.timesInLists : limits.times;
		const perItem = limits.perItem + (hasParts ? limits.title + limits.url : 0);
		const most = times * proxy.sent + perItem * items.length + (sharesValues ? limits.shared : 0);
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

	it.each(hugenesses)('from $words', async (hugeness) => {
		const outcomes: string[] = [];
		for (const one of cases) {
			const { outcome, tooLarge } = await findingsOf(one, hugeness);
			expect([inWords(one), one.words, ...tooLarge]).toEqual([inWords(one), one.words]);
			outcomes.push(outcome);
		}
		// What is bounded did come out: items, or the service's own errors.
		const isFailing = /errors|failed|in the place/.test(hugeness.words);
		const isAsExpected = (outcome: string) =>
			isFailing ? outcome.startsWith('error') : /^[1-9]\d* items/.test(outcome);
		expect(outcomes.filter(isAsExpected).length).toBeGreaterThanOrEqual(isFailing ? 1 : 8);
	});

	it('as a tool', async () => {
		const [{ change }] = hugenesses;
		for (const one of cases) {
			const execution = await run(one, change, 'webDataTool');
			const told = execution.output().map(({ json }) => json);
			expect(JSON.stringify(told).length).toBeLessThanOrEqual(limits.toolResult);
			expect(JSON.stringify(told).length).toBeGreaterThan(1_000);
		}
	});
});
