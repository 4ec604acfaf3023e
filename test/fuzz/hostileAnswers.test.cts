import { inspect } from 'node:util';
import fc from 'fast-check';
import { stringify } from 'flatted';
import type { INodeExecutionData } from 'n8n-workflow';
import { asText, useAnswerProxy } from './answerProxy.cjs';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { inWords, type OperationName } from '../engine/operationNames.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { chosenOperations, DirectRuns, soundParameters } from './directRuns.cjs';
import { replay, sampled, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { errorFindings, errorsIn, type Findings, prototypes } from './findings.cjs';
import { type Hostility, largeHostilities, smallHostilities } from './hostileAnswers.cjs';
import { textFindings, useWrittenLines } from './secrets.cjs';
import { WorkMeter } from './workMeter.cjs';

/** Large answers for each operation. */
const cases = scaled(2);

/** Characters that one of them has, about. */
const large = 200_000;

/** Most work for answers of so many bytes: as much as usual, and n8n, the service and the proxy go over them, too. */
const workFor = (usual: number, bytes: number): number => 500_000 + 2 * usual + 60 * bytes;

/** What came of a run whose service answered badly. */
interface AnswerOutcome {
	items: INodeExecutionData[];
	/** Whether what was asked for was in the answer. */
	isGood: boolean;
	/** Items of the same run with good answers. */
	usual: INodeExecutionData[];
	/** Requests to the service, and those of the same run with good answers. */
	requests: number;
	usualRequests: number;
}

/** Requests more than usual that an answer can bring about: pages, polls and repeats. */
const mostMore = 30;

/** Whether n8n can store what came out, and show it. */
function storedFindings(items: INodeExecutionData[]): Findings {
	const findings: Findings = [];
	const works = { JSON: JSON.stringify, "n8n's form": stringify };
	for (const [words, write] of Object.entries(works)) {
		try {
			write(items);
		} catch (error) {
			findings.push(`items that have no ${words}: ${String(error)}`);
		}
	}
	return findings;
}

/** What is wrong with what came out. */
function answerFindings(outcome: AnswerOutcome): Findings {
	const { items, isGood, usual, requests, usualRequests } = outcome;
	const errors = errorsIn(items);
	const findings = [...errors.flatMap(errorFindings), ...storedFindings(items)];
	if (items.length === 0 && usual.length > 0 && !isGood)
		findings.push('neither an item nor an error');
	if (isGood && errors.length > 0) findings.push(`a good answer was lost: ${String(errors[0])}`);
	if (isGood && items.length < usual.length) {
		findings.push(`of ${usual.length} items ${items.length} came out`);
	}
	if (requests > usualRequests + mostMore) findings.push(`${requests} requests`);
	return findings;
}

/** All that can be seen of items, as far as it is not too much. */
const seenOf = (items: INodeExecutionData[]) =>
	inspect(items, { depth: 50, maxStringLength: null, maxArrayLength: 1_000, showHidden: true });

/** Every operation, while the service answers as badly as it can. */
describe('hostile answers', () => {
	const testBed = useTestBed();
	const proxy = useAnswerProxy(() => testBed.service.url);
	const time = useDrivenTime(
		() => testBed.service,
		() => proxy.isBusy,
	);
	const countOne = useCount('runs with hostile answers');
	const runs = new DirectRuns(testBed);
	const meter = new WorkMeter();

	afterEach(() => meter.stop());

	const written = useWrittenLines();

	/** A service with what an operation needs, and its parameters. */
	const ready = async (name: OperationName) => {
		const { service } = testBed;
		service.reset();
		const account = canaryAccount(service, { concurrency: 1e6 });
		const parameters = await time.drive(soundParameters(name, service, account));
		await time.pass(1);
		service.log.clear();
		return parameters;
	};

	const run = async (
		name: OperationName,
		{ change }: Pick<Hostility, 'change'>,
		usualWork = Infinity,
	): Promise<{
		items: INodeExecutionData[];
		requests: number;
		thrown: unknown[];
		work: number;
	}> => {
		const parameters = await ready(name);
		proxy.change((answer) => meter.uncounted(() => asText(change(answer))));
		meter.start(() => workFor(usualWork, proxy.sent));
		const thrown: unknown[] = [];
		const options = { ...Object(parameters.options), maxWait: 60, maxRetryTime: 10 };
		const items = await time
			.drive(runs.run(name, { ...parameters, options }, { baseUrl: proxy.url }))
			.catch((error: unknown) => {
				thrown.push(error);
				return [];
			});
		meter.stop();
		await time.untilSilent();
		return { items, requests: testBed.service.log.entries.length, thrown, work: meter.work };
	};

	const goodAnswers: Hostility = { words: 'good ones', isGood: true, change: (answer) => answer };

	/** What came of each operation with good answers. */
	const usuals: Record<string, Awaited<ReturnType<typeof run>>> = {};

	/** Everything that is wrong with how an operation takes hostile answers. */
	const findingsOf = async (name: OperationName, hostility: Hostility): Promise<Findings> => {
		countOne();
		const inherited = prototypes();
		const usual = (usuals[inWords(name)] ??= await run(name, goodAnswers));
		const bad = await run(name, hostility, usual.work);
		const found = [
			...bad.thrown.map((error) => `thrown: ${String(error)}`),
			...answerFindings({
				...bad,
				isGood: hostility.isGood && errorsIn(usual.items).length === 0,
				// What texts say decides how many passages come out of them.
				usual: inWords(name) === 'search: passages' ? usual.items.slice(0, 1) : usual.items,
				usualRequests: usual.requests,
			}),
			...meter.findings('an answer'),
			...textFindings('the items', seenOf(bad.items)),
			...written.findings(),
			...(JSON.stringify(prototypes()) === JSON.stringify(inherited)
				? []
				: ['polluted prototypes']),
		];
		return found.map((words) => `${hostility.words}: ${words}`.slice(0, 600));
	};

	describe.each(chosenOperations)('to $resource: $operation', (name) => {
		it('do no harm in small', async () => {
			const found: Findings = [];
			for (const hostility of sampled(inWords(name), smallHostilities))
				found.push(...(await findingsOf(name, hostility)));

			expect(found).toEqual([]);
		});

		it('do no harm by size', async () => {
			await fc.assert(
				fc.asyncProperty(largeHostilities(large), async (hostility) => {
					expect(await findingsOf(name, hostility)).toEqual([]);
				}),
				{ seed: seedOf(inWords(name)), numRuns: cases, endOnFailure: true, ...replay() },
			);
		});
	});
});
