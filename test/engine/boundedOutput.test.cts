import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { sum } from '../../nodes/runtime/values/numbers';
import { projectRoot } from '../root.cjs';
import { useAnswerProxy, type Change } from './answerProxy.cjs';
import { useDrivenTime } from './drivenTime.cjs';
import { inMemory } from './file/inputFiles.cjs';
import type { EngineRun } from './harness.cjs';
import { hugenesses } from './hugeAnswers.cjs';
import { inWords, operationNames, type OperationName } from './operationNames.cjs';
import { useTestBed } from './testBed.cjs';
import { Fixtures, validParameters } from './validParameters.cjs';

const documentation = readFileSync(join(projectRoot, 'docs/items.md'), 'utf8').replace(/\s+/g, ' ');

/** A number that the documentation states. @throws where it states none */
function stated(pattern: RegExp): number {
	const [, digits] = pattern.exec(documentation) ?? [];
	if (digits === undefined) throw new Error(`docs/items.md does not state ${String(pattern)}`);
	return Number(digits.replaceAll(',', ''));
}

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

const search = { resource: 'search', operation: 'query' };
const batch = { resource: 'batch', operation: 'run' };

/** What repeats parts of a response, or links items to many others. */
const variants: Case[] = [
	{ ...search, words: 'pages', set: { scrapeResults: true } },
	{ ...search, words: 'a whole response', set: { scrapeResults: true, output: 'raw' } },
	{ ...search, operation: 'passages', words: 'many', set: { maxTokens: 20_000 } },
	{ ...batch, words: 'for many items', set: {}, input: 30 },
	{ resource: 'monitor', operation: 'getCheck', words: 'all pages', set: { returnAll: true } },
];

const everyOperation: Case[] = operationNames.map((name) => ({ ...name, words: 'as it is' }));

const named = ({ words, ...one }: Case) => ({ ...one, words: `${inWords(one)}, ${words}` });

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

	const mostBytes = ({ operation }: Case, items: number, sharesValues: boolean) => {
		const hasParts = operation === 'passages';
		const times = hasParts ? limits.timesInLists : limits.times;
		const perItem = limits.perItem + (hasParts ? limits.title + limits.url : 0);
		return times * proxy.sent + perItem * items + (sharesValues ? limits.shared : 0);
	};

	describe.each(hugenesses)('from $words', ({ change, isRare, sharesValues = false }) => {
		it.each([...(isRare ? [] : everyOperation), ...variants].map(named))('$words', async (one) => {
			const execution = await run(one, change);

			const { error } = execution;
			const items = error ? [] : execution.output();
			const hints = execution.hints().map(({ message }) => message);
			const inputs = one.input ?? 1;
			expect(sum(items.map(itemBytes))).toBeLessThanOrEqual(
				mostBytes(one, items.length, sharesValues),
			);
			expect(sum(items.map(linksOf))).toBeLessThanOrEqual(limits.links * (inputs + items.length));
			expect(hints.length).toBeLessThanOrEqual(limits.notices + 1);
			expect(Math.max(0, ...hints.map(({ length }) => length))).toBeLessThanOrEqual(
				limits.notice + '…'.length,
			);
			expect(error?.message.length ?? 0).toBeLessThanOrEqual(limits.message);
			expect(error?.description?.length ?? 0).toBeLessThanOrEqual(limits.description);
		});
	});

	describe('as a tool', () => {
		const [{ change }] = hugenesses;

		it.each([...everyOperation, ...variants].map(named))('$words', async (one) => {
			const execution = await run(one, change, 'webDataTool');

			const told = execution.output().map(({ json }) => json);
			expect(JSON.stringify(told).length).toBeLessThanOrEqual(limits.toolResult);
		});
	});
});
