import type { IBinaryKeyData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	asWebDataError,
	atEdge,
	type ErrorSource,
	inputError,
	type NodeError,
	operationError,
	retainedJobs,
	stoppedError,
	type WebDataError,
} from '../errors/webDataError';
import { readSettings, type Settings } from '../form/settings';
import { tooDeep, ValidationFailure } from '../form/schema';
import { isTool } from '../tool/tool';
import { connect, type Connection } from '../http/connection';
import { atExecutionEnd, startOrCancel } from './atEnd';
import { startJob } from './job';
import { complete, newRun, policyOf, readContextOf, type Item } from './item';
import { sendPaid } from '../spending/paid';
import { spendingOf } from '../spending/budget';
import type {
	ItemRequest,
	Operation,
	OperationContext,
	Resource,
	ResultFormat,
	Values,
} from '../operation';
import { fileOf } from './files';
import { pairedWith, withoutError } from './items';
import { monotonicNow } from '../values/time';
import { isTooDeep } from '../values/json';
import { attempt, eachConcurrent, settle } from '../values/outcome';
import { cutLine, pluralize, withoutMarkup } from '../values/text';
import type { Bucket } from '../http/endpoint';
import { initialConcurrency, maxConcurrency, type Limiter } from '../http/limiter';
import { parameterReader } from './parameters';

/** Milliseconds that a tool waits: clients of MCP give up after 60 s, and what is sent later is lost. */
const longestToolWait = 45_000;

/** Most other failures that the error of a stopped run names. */
const mostNamed = 10;

/** Longest notice, in characters; most quote the service. */
const longestNotice = 1_000;

/** Most notices that an execution shows. */
const mostNotices = 100;

/** The input of one item, or of all items that share a request. */
interface Task {
	body: unknown;
	settings: Settings;
	requests: ItemRequest[];
}

/** Reads and validates the input of an item. @throws WebDataError, or n8n's error of an expression */
function readTask(
	operation: Operation,
	values: Values,
	files: IBinaryKeyData | undefined,
	errorSource: ErrorSource,
): Task {
	const deep = operation.fields.filter(({ name }) => isTooDeep(values[name]));
	if (deep.length > 0)
		throw inputError(
			// A group of the editor has no path in the API's body, so the error names the group.
			deep.map(({ displayName }) => ({ code: 'custom', path: [displayName], message: tooDeep })),
			errorSource,
		);
	const body = operation.schema.safeParse(operation.read(values, files));
	const settings = readSettings(values);
	if (!body.success || !settings.success) {
		const issues = [body, settings].flatMap(({ error }) => error?.issues ?? []);
		throw inputError(issues, errorSource);
	}
	const { itemIndex = 0 } = errorSource;
	const requests = [{ itemIndex, body: body.data }];
	return { body: body.data, settings: settings.data, requests };
}

/** The error of input items: of one, or of all that share a request. */
interface ItemFailure {
	error: WebDataError;
	items: number[];
}

/** Sorts failures by their items. */
const inOrder = ({ items: [one] }: ItemFailure, { items: [other] }: ItemFailure) => one - other;

/** The tasks of valid items, and the invalid ones, before anything is sent; one task for all if it merges them. */
function readTasks(
	context: IExecuteFunctions,
	operation: Operation,
	errorSourceOf: (itemIndex: number) => ErrorSource,
): { tasks: Task[]; rejected: ItemFailure[] } {
	const read = parameterReader(
		context.getNode(),
		operation.fields.map(({ name }) => name),
		(name, itemIndex) => context.getNodeParameter(name, itemIndex, null),
	);
	const tasks: Task[] = [];
	const rejected: ItemFailure[] = [];
	for (const [itemIndex, { binary }] of context.getInputData().entries()) {
		const errorSource = errorSourceOf(itemIndex);
		const task = attempt(() => readTask(operation, read(itemIndex), binary, errorSource));
		if (task.ok) tasks.push(task.value);
		else rejected.push({ error: asWebDataError(task.error, errorSource), items: [itemIndex] });
	}
	if (!operation.mergeBodies || tasks.length === 0) return { tasks, rejected };
	const body = operation.mergeBodies(
		tasks.map((task) => task.body),
		tasks.map((task) => task.settings),
	);
	const requests = tasks.flatMap((task) => task.requests);
	if (!(body instanceof ValidationFailure))
		return { tasks: [{ ...tasks[0], body, requests }], rejected };
	const advice = 'Nothing was sent. Correct the fields in the message.';
	for (const { itemIndex } of requests) {
		const error = operationError(body.because, advice, errorSourceOf(itemIndex));
		rejected.push({ error, items: [itemIndex] });
	}
	rejected.sort(inOrder);
	return { tasks: [], rejected };
}

/** Most items in flight if the first failure stops the execution, which loses their results. */
const mostToLose = 10;

/** Most jobs in flight: each takes more than one request and counts toward the plan's concurrency. */
const mostJobs = 5;

/** Most items in flight, also by the limiters in use. Items of a bucket with a lower limit wait there. */
export function mostItems(
	{ sequential, job }: Pick<Operation, 'sequential' | 'job'>,
	stopsAtFailure: boolean,
	used: ReadonlySet<Limiter>,
): number {
	if (sequential) return 1;
	const most = stopsAtFailure ? mostToLose : maxConcurrency;
	const limits = [...used].map(({ itemLimit }) => itemLimit);
	if (limits.length === 0) limits.push(initialConcurrency);
	return Math.min(job ? mostJobs : most, Math.max(...limits));
}

/** The functions that an operation calls for an item. */
const operationContextOf = (item: Item, context: IExecuteFunctions): OperationContext => ({
	isHosted: item.isHosted === true,
	runJob: async (job, request) => await (await startJob(job, request, item)).results(),
	startJob: async (job, request) => (await startJob(job, request, item)).started(),
	fileOf: async (data) => await fileOf(data, context.helpers),
	binaryOf: async (content, fileName, mimeType) =>
		await context.helpers.prepareBinaryData(content, fileName, mimeType),
	sendStart: async (request, ending) =>
		await sendPaid(
			request,
			item,
			async (start, sending) => await startOrCancel(start, ending, sending),
		),
	atExecutionEnd: (request) => atExecutionEnd(request, context, item),
	// Last, because V8 takes 15 µs for each object with functions behind a spread.
	...readContextOf(item),
});

/** Redacts and limits the notices of an execution for users and models. */
function shownNotices(notices: ReadonlySet<string>, redact: (text: string) => string): string[] {
	const shown = [...notices]
		.slice(0, mostNotices)
		// Redacted before it is cut, so that no part of a secret remains at the end.
		.map((notice) => cutLine(redact(notice.slice(0, 10 * longestNotice)), longestNotice));
	const omitted = notices.size - shown.length;
	return omitted === 0 ? shown : [...shown, `… and ${omitted} more notices.`];
}

/** The error of a run that stops at a failure, with other failed items, lost results, and jobs that have theirs. */
function failFastError(
	[first, ...others]: ItemFailure[],
	completed: number,
	{ jobs }: Item['run'],
): NodeError {
	const { error } = first;
	const shown = others.sort(inOrder).slice(0, mostNamed);
	const also = shown.map(({ error: other, items: [itemIndex] }) =>
		other.message === error.message
			? `Item ${itemIndex} ended the same way.`
			: `Item ${itemIndex}, too: ${other.message}. ${other.description}`.trim(),
	);
	const lost = `${completed} other ${completed === 1 ? 'item succeeded and is' : 'items succeeded and are'} not returned. To return them next time, set 'On Error' in the node's settings to continue.`;
	const named = new Set([first, ...shown].map((failure) => failure.error.source.job?.id));
	const unnamed = [...jobs].flatMap(([id, job]) => (named.has(id) ? [] : [job]));
	return error.render({
		more: [...also, ...(completed === 0 ? [] : [lost]), retainedJobs(unnamed)],
	});
}

/** The items of a failure for an ordinary node. n8n routes `error` to the error output. */
function errorItems({ error: failure, items }: ItemFailure): INodeExecutionData[] {
	const error = failure.render({ isItem: true });
	const json = { error: error.message };
	return items.map((item) => ({ json: { ...json }, error, pairedItem: pairedWith([item]) }));
}

/** Loads a resource of the node by its value; undefined if this version does not have it. */
type LoadResource = (value: unknown) => Promise<Resource | undefined>;

/** @throws Error if this version does not have the operation; UserError for an invalid base URL */
async function open(
	context: IExecuteFunctions,
	loadResource: LoadResource,
): Promise<{ operation: Operation; connection: Connection }> {
	const resource = context.getNodeParameter('resource', 0);
	const name = context.getNodeParameter('operation', 0);
	const operations = (await loadResource(resource))?.operations ?? [];
	const operation = operations.find(({ value }) => value === name);
	if (operation) return { operation, connection: await connect(context) };
	throw new Error(
		`This version of the node has no operation '${String(name)}' of the resource '${String(resource)}'`,
	);
}

/** Runs the action node to items, or to a failure. */
async function perform(
	context: IExecuteFunctions,
	loadResource: LoadResource,
	format: ResultFormat,
): Promise<INodeExecutionData[][]> {
	// n8n copies the node at every call.
	const node = context.getNode();
	const isForModel = isTool(node);
	// Only tools take the time to load it.
	const output = isForModel ? await import('../tool/toolResult') : undefined;
	const opened = await settle(open(context, loadResource));
	if (!opened.ok) {
		const errorSource = { node, itemIndex: 0, fields: [], redact: String };
		const error = asWebDataError(opened.error, errorSource);
		if (!output) throw error.render();
		return [await output.toolResult(context, { rejected: [error] })];
	}
	const { operation, connection } = opened.value;
	const { redact, inPrivateNetwork, isHosted } = connection;
	const errorSourceOf = (itemIndex: number): ErrorSource => ({
		node,
		itemIndex,
		fields: operation.fields,
		redact,
	});

	const stopsAtFailure = !context.continueOnFail() && !isForModel;
	const { tasks, rejected } = readTasks(context, operation, errorSourceOf);
	if (rejected.length > 0 && stopsAtFailure) throw rejected[0].error;

	const signal = context.getExecutionCancelSignal();
	const run = newRun(connection, format, spendingOf(signal, node.id));
	const deadline = isForModel ? monotonicNow() + longestToolWait : undefined;
	const used = new Set<Limiter>();
	const limiters = (bucket: Bucket): Limiter => {
		const limiter = connection.limiters(bucket);
		used.add(limiter);
		return limiter;
	};
	/** The items of each task by its first input item. */
	const done = new Map<number, INodeExecutionData[]>();
	const failures: ItemFailure[] = [];
	const hasFailed = () => failures.length > 0 && stopsAtFailure;
	/** Number of requests that were retried although the previous attempt may have been charged. */
	let uncertainRepeats = 0;

	const performTask = async ({ body, settings, requests }: Task, errorSource: ErrorSource) => {
		const item: Item = {
			run,
			settings,
			requests,
			context,
			limiters,
			inPrivateNetwork,
			isHosted,
			errorSource,
			signal,
			deadline,
			policy: policyOf(settings),
			runIndex: () => context.getWorkflowDataProxy(0).$runIndex,
			notice: (text) => run.notices.add(text),
			hasFailed,
			onUncertainRepeat: () => (uncertainRepeats += 1),
		};
		const results = await operation.run(body, operationContextOf(item, context));
		const items = await complete(results, item, context.helpers, operation.simplified);
		for (const each of items) each.json = withoutError(each.json);
		return items;
	};

	await eachConcurrent(
		tasks,
		() => mostItems(operation, stopsAtFailure, used),
		async (task) => {
			const items = task.requests.map(({ itemIndex }) => itemIndex);
			const errorSource = errorSourceOf(items[0]);
			const outcome = await settle(performTask(task, errorSource));
			if (outcome.ok) done.set(items[0], outcome.value);
			else failures.push({ error: asWebDataError(outcome.error, errorSource), items });
		},
		() => signal?.aborted === true || hasFailed(),
	);
	if (signal?.aborted) throw stoppedError(errorSourceOf(0), [...run.jobs.values()]);
	if (hasFailed()) throw failFastError(failures, done.size, run);

	if (uncertainRepeats > 0) {
		(isForModel ? run.ownNotes : run.notices).add(
			`${pluralize(uncertainRepeats, 'request')} ${uncertainRepeats === 1 ? 'was' : 'were'} retried after a gateway's response or a timeout; earlier responses may have been charged.`,
		);
	}
	const notices = shownNotices(run.notices, redact);
	for (const notice of notices) {
		const message = withoutMarkup(notice);
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	}

	if (!output)
		for (const failure of [...rejected, ...failures])
			done.set(failure.items[0], errorItems(failure));
	const items = [...done].sort(([one], [other]) => one - other).flatMap(([, each]) => each);
	if (!output) {
		// n8n's Retry On Fail repeats the whole node if its first item has an `error`, and with it the
		// items that succeeded and were charged. n8n restores a renamed field afterwards, but earlier
		// ones not for the error output, to which failures go in any order.
		const isFailed = ({ error }: INodeExecutionData) => error !== undefined;
		const [begin] = items;
		if (node.retryOnFail && begin?.error && !items.every(isFailed)) {
			if (node.onError !== 'continueErrorOutput') begin.json = { failed: begin.json };
			else items.sort((one, other) => Number(isFailed(one)) - Number(isFailed(other)));
		}
		return [items];
	}
	const first = tasks.at(0);
	const outcome = {
		results: items,
		failures: failures.map(({ error }) => error),
		rejected: rejected.map(({ error }) => error),
		notices,
		ownNotes: [...run.ownNotes],
		operation,
		jobs: [...run.jobs.keys()],
		question: first?.settings.passageQuery ?? (first && format.questionIn(first.body)),
	};
	return [await output.toolResult(context, outcome)];
}

/**
 * Runs the action node. Validates all items before the first request, then sends them with rate
 * limits and retries, and returns their results in the order of the input. If 'On Error' is set to
 * continue, a failed item becomes an error item and the others keep their results. Otherwise
 * invalid input stops the run before the first request, and the first failure stops it later.
 * @throws NodeApiError or NodeOperationError that names the item
 */
export const execute = async (
	...given: Parameters<typeof perform>
): Promise<INodeExecutionData[][]> => await atEdge(perform(...given));
