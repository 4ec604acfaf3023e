import {
	NodeOperationError,
	type IExecuteFunctions,
	type IBinaryKeyData,
	type INode,
	type INodeExecutionData,
	type NodeApiError,
} from 'n8n-workflow';
import { complete, mostFetches, policyOf } from '../jobs/itemContext';
import { connect } from '../http/connection';
import { tooDeep } from '../schema/schema';
import { pluralize } from '../values/pluralize';
import { todayOf } from '../budget/dayBudget';
import { findOperation } from '../operation/describe';
import { displayName } from '../errors/displayName';
import { emptyGroupsIn } from '../form/emptyGroups';
import { failFastError, type ItemFailure } from './failFastError';
import {
	asNodeError,
	inputError,
	stoppedError,
	withoutItemMark,
	type ErrorContext,
} from '../errors/errors';
import { estimate } from './estimate';
import { collect, fallAsleep, withSleepers } from './sleep';
import { sleptFor, type Asleep, type JobAsleep } from '../jobs/asleep';
import { hasSecondRun } from '../host/secondRun';
import { limitToolResult, isTool } from '../output/limitToolResult';
import { mergeItems, type Task, type Tasks } from './mergeItems';
import { pairedWith } from '../output/items';
import type { ResultFormat } from '../output/resultFormat';
import { isTooDeep } from '../values/json';
import { isRecord, type JsonRecord } from '../values/record';
import { refuseToSuspend, unsignedResumeNotice, type PlannedSleep } from '../jobs/job';
import { ExecutionMemory } from './executionMemory';
import type { ItemRequest, Operation, Resource, Values } from '../operation/operation';
import { attempt, mapConcurrent, settle, type Outcome } from '../values/settle';
import { parameterReader } from './parameters';
import { Pace, mostItems } from './itemsInFlight';
import { uncheckedIn } from '../schema/passUnknown';
import { Semaphore } from '../values/semaphore';
import { runCallOn } from './runCall';
import { RunningJobs } from '../jobs/runningJobs';
import type { RequestContext } from '../http/send';
import { settingsReader, defaultToolResult } from '../form/options';
import { spendingOf, type Spending } from '../budget/budget';
import { newMark } from '../untrusted/fence';
import { withoutMarkup } from '../values/withoutMarkup';

/** What all items of one execution share. */
interface Execution {
	context: IExecuteFunctions;
	/** A copy: n8n makes one at every call for it. */
	node: INode;
	operation: Operation;
	/** What is known of the contents of its results. */
	format: ResultFormat;
	pace: Pace;
	inPrivateNetwork: boolean;
	conceal: ErrorContext['conceal'];
	/** The jobs that were started before the execution slept, where it has. */
	slept?: Asleep;
	/** The jobs that it is put to sleep for. */
	asleep: JobAsleep[];
	/** Whether calls of a suspended execution can be checked. */
	hasSecret: boolean;
	isHosted: boolean;
	/** Stands for the credential, its key and its host. */
	account: () => string;
	/** The service's notices, each once. */
	notices: Set<string>;
	/** What items have set and was looked through for empty groups: where it holds no expression, all have the same. */
	lookedThrough: WeakSet<object>;
	/** How many requests were sent again though the answer before may have been charged. */
	uncertainRepeats: number;
	/** What the node has spent in this execution, at earlier runs too. */
	spending: Spending;
	/** The jobs that it is not done with. */
	running: RunningJobs;
	/** What its items keep for the next execution. */
	kept: ExecutionMemory;
	fetches: Semaphore;
	signal?: AbortSignal;
}

async function open(
	context: IExecuteFunctions,
	node: INode,
	resources: Resource[],
	format: ResultFormat,
): Promise<Execution> {
	const resource = context.getNodeParameter('resource', 0);
	const name = context.getNodeParameter('operation', 0);
	const operation = findOperation(resources, resource, name);
	if (!operation) {
		throw new NodeOperationError(
			node,
			`This version of the node has no operation '${String(name)}' of the resource '${String(resource)}'`,
		);
	}
	const { rateLimiters, inPrivateNetwork, conceal, webhookSecret, isHosted, account } =
		await connect(context);
	const signal = context.getExecutionCancelSignal();
	return {
		context,
		node,
		operation,
		format,
		slept: sleptFor(context),
		asleep: [],
		pace: new Pace(rateLimiters),
		inPrivateNetwork,
		conceal,
		hasSecret: webhookSecret !== '',
		isHosted,
		account,
		notices: new Set(),
		lookedThrough: new WeakSet(),
		uncertainRepeats: 0,
		spending: spendingOf(signal, node.id),
		running: new RunningJobs(),
		kept: new ExecutionMemory(context),
		fetches: new Semaphore(mostFetches),
		signal,
	};
}

const placeOf = ({ node, operation, conceal }: Execution, itemIndex: number): ErrorContext => ({
	node,
	itemIndex,
	fields: operation.fields,
	conceal,
});

/** Reads and checks one item's input, before anything is sent for any item. */
function prepare(
	execution: Execution,
	values: Outcome<Values>,
	files: IBinaryKeyData | undefined,
	itemIndex: number,
	readSettings: ReturnType<typeof settingsReader>,
): Outcome<Task> {
	const place = placeOf(execution, itemIndex);
	if (!values.ok) return { ok: false, error: asNodeError(values.error, place) };
	const deep = Object.keys(values.value).filter((name) => isTooDeep(values.value[name]));
	if (deep.length > 0) {
		return {
			ok: false,
			error: inputError(
				deep.map((name) => ({ code: 'custom', path: [name], message: tooDeep })),
				place,
			),
		};
	}
	const { schema, read } = execution.operation;
	const checked = attempt(() => ({
		settings: readSettings(values.value),
		body: schema.safeParse(read(values.value, files)),
	}));
	if (!checked.ok) return { ok: false, error: asNodeError(checked.error, place) };
	const { settings, body } = checked.value;
	if (settings.success && body.success) {
		const requests = [{ itemIndex, body: body.data }];
		return {
			ok: true,
			value: { body: body.data, values: values.value, settings: settings.data, requests },
		};
	}
	const issues = [...(body.error?.issues ?? []), ...(settings.error?.issues ?? [])];
	return { ok: false, error: inputError(issues, place) };
}

/** All items' tasks: each checked, gathered where one request stands for several. */
function prepareAll(execution: Execution): Tasks {
	const { context, operation } = execution;
	const names = operation.fields.map(({ name }) => name);
	const read = parameterReader(context, names);
	const readSettings = settingsReader();
	const each = context.getInputData().map(({ binary }, itemIndex) =>
		prepare(
			execution,
			attempt(() => read(itemIndex)),
			binary,
			itemIndex,
			readSettings,
		),
	);
	return mergeItems(each, operation, (itemIndex) => placeOf(execution, itemIndex));
}

const isSleeper = ({ values, settings }: Task) =>
	values.wait === 'suspend' && !settings.estimateOnly;

/** The tasks, without those for which the execution cannot be put to sleep as they want it. */
function refuseSleepers(execution: Execution, tasks: Tasks): Tasks {
	const { context, operation, node } = execution;
	const ready = tasks.flatMap((task) => (task?.ok ? [task.value] : []));
	// Where items can share a job, those refused now are known again when the execution is taken up.
	const jobCount = operation.gather ? ready.length : tasks.length;
	const planned: PlannedSleep = {
		jobCount,
		isForAll: ready.every(isSleeper) || !ready.some(isSleeper),
		canSleep: hasSecondRun(context),
		mayReuse: ready.some(({ settings }) => settings.reuseJob !== 'off'),
		asTool: isTool(node),
	};
	return tasks.map((task, itemIndex): Tasks[number] => {
		if (!task?.ok) return task;
		const { values, body } = task.value;
		const refusal = refuseToSuspend(values, body, planned, placeOf(execution, itemIndex));
		return refusal ? { ok: false, error: refusal } : task;
	});
}

/** What to say of members of 'Request (JSON)' that go out unchecked. */
function noticeOfUnchecked(requests: ItemRequest[], { fields }: ErrorContext): string[] {
	const names = requests
		.flatMap(({ body }) => uncheckedIn(body))
		.map((path) => `'${displayName(fields, path)}'`);
	return names.length === 0
		? []
		: [
				`This version of the node does not know ${[...new Set(names)].join(', ')} of 'Request (JSON)': sent as given, and not checked.`,
			];
}

/** What to say of groups that the user left empty. */
function noticeOfEmptyGroups(values: Values, { operation, lookedThrough }: Execution): string[] {
	const groups = Object.entries(values).filter(
		(entry): entry is [string, JsonRecord] => isRecord(entry[1]) && !lookedThrough.has(entry[1]),
	);
	if (groups.length === 0) return [];
	for (const [, group] of groups) lookedThrough.add(group);
	const ways = emptyGroupsIn({
		fields: operation.fields,
		values: Object.fromEntries(groups),
		way: [],
	});
	return ways.map((way) => `'${way}' is empty: it was not sent.`);
}

const indexOf = ({ itemIndex }: ItemRequest) => itemIndex;

async function perform(
	{ body, values, settings, requests }: Task,
	execution: Execution,
	place: ErrorContext,
): Promise<INodeExecutionData[]> {
	const { context, pace, operation, notices, spending, running, fetches, signal } = execution;
	const { inPrivateNetwork, isHosted, account } = execution;
	if (values.wait === 'suspend' && !execution.hasSecret && !settings.estimateOnly)
		notices.add(unsignedResumeNotice);
	const hints = [
		...noticeOfUnchecked(requests, place),
		...noticeOfEmptyGroups(values, execution),
		...(operation.hints?.(body) ?? []),
	];
	hints.forEach((hint) => notices.add(hint));
	const line: RequestContext = {
		context,
		rateLimiters: pace.rateLimiters,
		inPrivateNetwork,
		place,
		signal,
		policy: policyOf(settings),
		notice: (text) => notices.add(text),
		leavesOutUnknown: settings.unknownFields === 'leaveOut',
		onUncertainRepeat: () => (execution.uncertainRepeats += 1),
	};
	const today = () => todayOf(context);
	const { format } = execution;
	const itemContext = {
		line,
		settings,
		requests,
		notices,
		spending,
		today,
		running,
		fetches,
		format,
	};
	const { memory, accept } = execution.kept.ofItem();
	const { asleep } = execution;
	const call = runCallOn(itemContext, context, values, { isHosted, memory, account, asleep });
	if (settings.estimateOnly) {
		const json = await estimate(async (estimating) => {
			await operation.run(body, values, estimating);
		}, call);
		return [{ json, pairedItem: pairedWith(requests.map(indexOf)) }];
	}
	const results = execution.slept
		? await collect(execution.slept, operation, place, { ...itemContext, values })
		: await operation.run(body, values, call);
	const items = await complete(results, itemContext, context.helpers);
	accept();
	return items;
}

/**
 * A failed item. n8n puts the item's `error` on the error output, but hands an AI model nothing of it:
 * what the model reads is the JSON, so a tool says there what happened and what to do.
 */
function errorItem(error: NodeApiError | NodeOperationError, items: number[], node: INode) {
	const pairedItem = pairedWith(items);
	if (!isTool(node)) return { json: { error: error.message }, error, pairedItem };
	const words = withoutItemMark(error.message);
	return { json: { error: words, advice: error.description ?? '' }, pairedItem };
}

/**
 * The shared execute helper. Every item is read and checked first; then each is sent, paced and
 * retried, and its answer turned into items, in the order of the input. With the node's "On Error" on
 * continue, a failing item becomes an error item and costs no other its result; otherwise bad input
 * anywhere ends the run before the first request, and the first failure ends it later.
 * @throws NodeApiError or NodeOperationError that names the item
 */
export async function execute(
	context: IExecuteFunctions,
	resources: Resource[],
	format: ResultFormat,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const opened = await settle(open(context, node, resources, format));
	if (!opened.ok) {
		const place = { node, itemIndex: 0, fields: [], conceal: String };
		const error = asNodeError(opened.error, place);
		if (isTool(node)) return [[errorItem(error, [0], node)]];
		throw error;
	}
	const execution = opened.value;
	const { signal, notices, slept, asleep } = execution;
	const stops = !context.continueOnFail() && !isTool(node);
	const goOn = !stops || slept !== undefined;
	const prepared = prepareAll(execution);
	const tasks = slept
		? withSleepers(prepared, slept, notices)
		: refuseSleepers(execution, prepared);
	const refused = tasks.find((task) => task && !task.ok);
	if (refused && !refused.ok && !goOn) throw refused.error;
	// A job that is started is paid for: the others' failures end neither the sleep nor the run behind it.
	const sleeps = slept !== undefined || tasks.some((task) => task?.ok && isSleeper(task.value));

	const failures: ItemFailure[] = [];
	const ready = tasks.find((task) => task?.ok);
	const settings = ready?.ok ? ready.value.settings : undefined;
	const most = mostItems(execution.operation, settings?.requestsInFlight, goOn);
	const outcomes = await mapConcurrent(
		tasks,
		() => Math.min(most, execution.pace.width),
		async (task, itemIndex): Promise<Outcome<INodeExecutionData[]> | undefined> => {
			if (!task || !task.ok) return task;
			const place = placeOf(execution, itemIndex);
			const outcome = await settle(perform(task.value, execution, place));
			if (outcome.ok) return outcome;
			const error = asNodeError(outcome.error, place);
			failures.push({ error, itemIndex });
			return { ok: false, error };
		},
		() => signal?.aborted === true || (failures.length > 0 && stops && !sleeps),
	);

	if (signal?.aborted) throw execution.running.namedIn(stoppedError(placeOf(execution, 0)));
	const answered = outcomes.filter((outcome) => outcome?.ok).length;
	if (failures.length > 0 && stops && (answered === 0 || !sleeps)) {
		throw failFastError(failures, answered);
	}
	const { uncertainRepeats } = execution;
	if (uncertainRepeats > 0) {
		notices.add(
			`${pluralize(uncertainRepeats, 'request')} ${uncertainRepeats === 1 ? 'was' : 'were'} sent again after a gateway error or time-out; the answers before may have been charged. 'Repeat Uncertain Answers' turns this off.`,
		);
	}
	const messages = [...notices].map(execution.conceal);
	for (const notice of messages) {
		const message = withoutMarkup(notice);
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	}
	const items = outcomes.flatMap((outcome, itemIndex): INodeExecutionData[] => {
		if (!outcome) return [];
		if (outcome.ok) return outcome.value;
		const error = asNodeError(outcome.error, placeOf(execution, itemIndex));
		const task = tasks[itemIndex];
		const items = task?.ok ? task.value.requests.map(indexOf) : [itemIndex];
		return [errorItem(error, items, node)];
	});
	execution.kept.write();
	if (asleep.length > 0) {
		const waits = tasks.flatMap((task) => (task?.ok ? [task.value.settings.maxWait] : []));
		await fallAsleep(context, asleep, failures, Math.max(...waits) * 60_000);
		// n8n's Retry on Fail would run the node again if an error came first.
		return [outcomes.flatMap((outcome) => (outcome?.ok ? outcome.value : []))];
	}
	if (!isTool(node)) return [items];
	const max = settings?.maxToolResultLength ?? defaultToolResult;
	const question = ready?.ok ? format.questionIn(ready.value.body) : undefined;
	// Where every item was refused or estimated before anything was sent, all words are the node's own.
	const isAnswered = tasks.some((task) => task?.ok && !task.value.settings.estimateOnly);
	const isFenced = isAnswered && (settings?.markUntrusted ?? true);
	return [
		limitToolResult(items, messages, {
			max,
			question,
			...(isFenced && { fence: { mark: newMark(), htmlTexts: format.htmlTexts } }),
		}),
	];
}
