import {
	NodeOperationError,
	type IExecuteFunctions,
	type IBinaryKeyData,
	type INode,
	type INodeExecutionData,
	type NodeApiError,
} from 'n8n-workflow';
import { askedQuestion } from './askedQuestion';
import { complete, mostFetches, policyOf } from './call';
import { connect } from './connection';
import { tooDeep } from './contract';
import { counted } from './counted';
import { todayOf } from './daySpending';
import { findOperation } from './describe';
import { displayName } from './displayName';
import { emptyGroupsIn } from './emptyGroups';
import { endedEarly, type ItemFailure } from './earlyEnd';
import { asNodeError, inputError, stoppedError, withoutItemMark, type Place } from './errors';
import { estimate } from './estimate';
import { forModel, isTool } from './forModel';
import { gather, type Task, type Tasks } from './gather';
import { pairedWith } from './items';
import { isTooDeep } from './json';
import { refuseToSuspend, unsignedResumeNotice } from './job';
import { Kept } from './kept';
import type { ItemRequest, Operation, Resource, Values } from './operation';
import { attempt, inOrder, settle, type Outcome } from './outcome';
import { parameterReader } from './parameters';
import { Pace, mostItems } from './pace';
import { uncheckedIn } from './passUnknown';
import { Places } from './places';
import { runCallOn } from './runCall';
import { RunningJobs } from './runningJobs';
import type { Line } from './send';
import { settingsReader, usualToolResult } from './settings';
import { spendingOf, type Spending } from './spending';
import { newMark } from './untrusted/fence';
import { withoutMarkup } from './withoutMarkup';

/** What all items of one execution share. */
interface Execution {
	context: IExecuteFunctions;
	/** A copy: n8n makes one at every call for it. */
	node: INode;
	operation: Operation;
	pace: Pace;
	inPrivateNetwork: boolean;
	conceal: Place['conceal'];
	/** Whether calls of a suspended execution can be checked. */
	hasSecret: boolean;
	isHosted: boolean;
	/** The service's notices, each once. */
	notices: Set<string>;
	/** How many requests were sent again though the answer before may have been charged. */
	uncertainRepeats: number;
	/** What the node has spent in this execution, at earlier runs too. */
	spending: Spending;
	/** The jobs that it is not done with. */
	running: RunningJobs;
	/** What its items keep for the next execution. */
	kept: Kept;
	fetches: Places;
	signal?: AbortSignal;
}

async function open(
	context: IExecuteFunctions,
	node: INode,
	resources: Resource[],
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
	const { rateLimiters, inPrivateNetwork, conceal, webhookSecret, isHosted } =
		await connect(context);
	const signal = context.getExecutionCancelSignal();
	return {
		context,
		node,
		operation,
		pace: new Pace(rateLimiters),
		inPrivateNetwork,
		conceal,
		hasSecret: webhookSecret !== '',
		isHosted,
		notices: new Set(),
		uncertainRepeats: 0,
		spending: spendingOf(signal, node.id),
		running: new RunningJobs(),
		kept: new Kept(context),
		fetches: new Places(mostFetches),
		signal,
	};
}

const placeOf = ({ node, operation, conceal }: Execution, itemIndex: number): Place => ({
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
	if ('error' in values) return { error: asNodeError(values.error, place) };
	const deep = Object.keys(values.value).filter((name) => isTooDeep(values.value[name]));
	if (deep.length > 0) {
		return {
			error: inputError(
				deep.map((name) => ({ code: 'custom', path: [name], message: tooDeep })),
				place,
			),
		};
	}
	const { contract, read } = execution.operation;
	const checked = attempt(() => ({
		settings: readSettings(values.value),
		body: contract.safeParse(read(values.value, files)),
	}));
	if ('error' in checked) return { error: asNodeError(checked.error, place) };
	const { settings, body } = checked.value;
	if (settings.success && body.success) {
		const requests = [{ itemIndex, body: body.data }];
		return {
			value: { body: body.data, values: values.value, settings: settings.data, requests },
		};
	}
	const issues = [...(body.error?.issues ?? []), ...(settings.error?.issues ?? [])];
	return { error: inputError(issues, place) };
}

/** All items' tasks: each checked, gathered where one request stands for several, refused where they cannot be waited for. */
function prepareAll(execution: Execution): Tasks {
	const { context, operation, node } = execution;
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
	const tasks = gather(each, operation, (itemIndex) => placeOf(execution, itemIndex));
	// Where items can share a job, those refused now are known again when the execution is taken up.
	const ready = tasks.filter((task) => task && 'value' in task).length;
	const jobCount = operation.gather ? ready : tasks.length;
	return tasks.map((task, itemIndex) => {
		if (!task || 'error' in task) return task;
		const { values, body } = task.value;
		const place = placeOf(execution, itemIndex);
		const refusal = refuseToSuspend(values, body, jobCount, isTool(node), place);
		return refusal ? { error: refusal } : task;
	});
}

/** What to say of members of 'Request (JSON)' that go out unchecked. */
function noticeOfUnchecked(requests: ItemRequest[], { fields }: Place): string[] {
	const names = requests
		.flatMap(({ body }) => uncheckedIn(body))
		.map((path) => `'${displayName(fields, path)}'`);
	return names.length === 0
		? []
		: [
				`This version of the node does not know ${[...new Set(names)].join(', ')} of 'Request (JSON)': sent as given, and not checked.`,
			];
}

const indexOf = ({ itemIndex }: ItemRequest) => itemIndex;

async function perform(
	{ body, values, settings, requests }: Task,
	execution: Execution,
	place: Place,
): Promise<INodeExecutionData[]> {
	const { context, pace, operation, notices, spending, running, fetches, signal } = execution;
	const { inPrivateNetwork, isHosted } = execution;
	if (values.wait === 'suspend' && !execution.hasSecret && !settings.estimateOnly)
		notices.add(unsignedResumeNotice);
	const hints = [
		...noticeOfUnchecked(requests, place),
		...emptyGroupsIn({ fields: operation.fields, values, way: [] }).map(
			(way) => `'${way}' is empty: it was not sent.`,
		),
		...(operation.hints?.(body) ?? []),
	];
	hints.forEach((hint) => notices.add(hint));
	const line: Line = {
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
	const errand = { line, settings, requests, notices, spending, today, running, fetches };
	const { memory, accept } = execution.kept.ofItem();
	const call = runCallOn(errand, context, values, { isHosted, memory });
	if (settings.estimateOnly) {
		const json = await estimate(async (estimating) => {
			await operation.run(body, values, estimating);
		}, call);
		return [{ json, pairedItem: pairedWith(requests.map(indexOf)) }];
	}
	const items = await complete(await operation.run(body, values, call), errand, context.helpers);
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
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const opened = await settle(open(context, node, resources));
	if ('error' in opened) {
		const place = { node, itemIndex: 0, fields: [], conceal: String };
		const error = asNodeError(opened.error, place);
		if (isTool(node)) return [[errorItem(error, [0], node)]];
		throw error;
	}
	const execution = opened.value;
	const { signal, notices } = execution;
	const goOn = context.continueOnFail() || isTool(node);
	const tasks = prepareAll(execution);
	const refused = tasks.find((task) => task && 'error' in task);
	if (refused && 'error' in refused && !goOn) throw refused.error;

	const failures: ItemFailure[] = [];
	const ready = tasks.find((task) => task && 'value' in task);
	const settings = ready && 'value' in ready ? ready.value.settings : undefined;
	const most = mostItems(execution.operation, settings?.requestsInFlight, goOn);
	const outcomes = await inOrder(
		tasks,
		() => Math.min(most, execution.pace.width),
		async (task, itemIndex): Promise<Outcome<INodeExecutionData[]> | undefined> => {
			if (!task || 'error' in task) return task;
			const place = placeOf(execution, itemIndex);
			const outcome = await settle(perform(task.value, execution, place));
			if ('value' in outcome) return outcome;
			const error = asNodeError(outcome.error, place);
			failures.push({ error, itemIndex });
			return { error };
		},
		() => signal?.aborted === true || (failures.length > 0 && !goOn),
	);

	if (signal?.aborted) throw execution.running.namedIn(stoppedError(placeOf(execution, 0)));
	if (failures.length > 0 && !goOn) {
		const answered = outcomes.filter((outcome) => outcome && 'value' in outcome).length;
		throw endedEarly(failures, answered);
	}
	const { uncertainRepeats } = execution;
	if (uncertainRepeats > 0) {
		notices.add(
			`${counted(uncertainRepeats, 'request')} ${uncertainRepeats === 1 ? 'was' : 'were'} sent again after a gateway error or time-out; the answers before may have been charged. 'Repeat Uncertain Answers' turns this off.`,
		);
	}
	const messages = [...notices].map(execution.conceal);
	for (const notice of messages) {
		const message = withoutMarkup(notice);
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	}
	const items = outcomes.flatMap((outcome, itemIndex): INodeExecutionData[] => {
		if (!outcome) return [];
		if ('value' in outcome) return outcome.value;
		const error = asNodeError(outcome.error, placeOf(execution, itemIndex));
		const task = tasks[itemIndex];
		const items = task && 'value' in task ? task.value.requests.map(indexOf) : [itemIndex];
		return [errorItem(error, items, node)];
	});
	execution.kept.write();
	if (!isTool(node)) return [items];
	const max = settings?.maxToolResultLength ?? usualToolResult;
	const question = ready && 'value' in ready ? askedQuestion(ready.value.body) : undefined;
	// Where every item was refused or estimated before anything was sent, all words are the node's own.
	const isAnswered = tasks.some(
		(task) => task && 'value' in task && !task.value.settings.estimateOnly,
	);
	const isFenced = isAnswered && (settings?.markUntrusted ?? true);
	return [forModel(items, messages, { max, question, mark: isFenced ? newMark() : undefined })];
}
