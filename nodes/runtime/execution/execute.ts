import {
	NodeOperationError,
	type IExecuteFunctions,
	type IBinaryKeyData,
	type INode,
	type INodeExecutionData,
	type NodeApiError,
} from 'n8n-workflow';
import type { ExecutionContext } from '../jobs/executionContext';
import { complete, mostFetches, policyOf, type ItemContext } from '../jobs/itemContext';
import { connect, type Connection } from '../http/connection';
import { tooDeep } from '../form/schema';
import { pluralize, withoutMarkup } from '../values/text';
import { todayOf } from '../limits/dayBudget';
import { findOperation } from '../operation/describe';
import { displayName } from '../api/displayName';
import { emptyGroupsIn } from '../form/emptyGroups';
import { failFastError, type ItemFailure } from './failFastError';
import { asNodeError, inputError, stoppedError, type ErrorSource } from '../api/errors';
import { shownNotices } from './shownNotices';
import { estimate } from './estimate';
import { isTool } from '../host/tool';
import { toolResult } from './toolResult';
import { mergeItems, type Task, type Tasks } from './mergeItems';
import { pairedWith } from '../output/items';
import type { ResultFormat } from '../output/results';
import { isTooDeep } from '../values/json';
import { isRecord, type JsonRecord } from '../values/record';
import { ExecutionMemory } from './executionMemory';
import type { ItemRequest, Operation, Resource, Values } from '../operation/operation';
import { attempt, mapConcurrent, settle, type Outcome } from '../values/settle';
import { parameterReader } from './parameters';
import { ItemConcurrency, mostItems } from './itemConcurrency';
import { uncheckedIn } from '../form/passUnknown';
import { monotonicNow } from '../values/clock';
import { Semaphore } from '../values/semaphore';
import { operationContextOf } from './operationContext';
import { RunningJobs } from '../jobs/runningJobs';
import type { RequestContext } from '../http/send';
import { settingsReader } from '../form/options';
import { spendingOf } from '../limits/budget';
import { Removed } from '../text/removed';

/**
 * Milliseconds that a tool waits: clients of MCP give up after 60 s without a word to the node, and
 * what it sends later is charged for nothing.
 */
const longestToolWait = 45_000;

/** Warns of fields of 'Request (JSON)' that are sent without validation. */
function noticeOfUnchecked(requests: ItemRequest[], { fields }: ErrorSource): string[] {
	const names = requests
		.flatMap(({ body }) => uncheckedIn(body))
		.map((path) => `'${displayName(fields, path)}'`);
	return names.length === 0
		? []
		: [
				`This version of the node does not support ${[...new Set(names)].join(', ')} of 'Request (JSON)': sent without validation.`,
			];
}

const indexOf = ({ itemIndex }: ItemRequest) => itemIndex;

/** One execution of the action node; its items share `shared`. */
class Execution {
	readonly shared: ExecutionContext;
	readonly concurrency: ItemConcurrency;
	readonly signal?: AbortSignal;
	/** The values that its items store for the next execution. */
	readonly memory: ExecutionMemory;
	/** Time of the monotonic clock after which a tool sends nothing that costs. */
	private readonly deadline?: number;
	/** Number of requests that were retried although the previous attempt may have been charged. */
	uncertainRepeats = 0;
	/**
	 * The groups already checked for emptiness. A group without expressions is the same object for
	 * all items.
	 */
	private readonly checkedGroups = new WeakSet<object>();

	constructor(
		private readonly context: IExecuteFunctions,
		/** A copy, since n8n copies the node at every call of `getNode`. */
		private readonly node: INode,
		readonly operation: Operation,
		readonly connection: Connection,
		format: ResultFormat,
	) {
		const { isHosted, account, rateLimiters } = connection;
		this.signal = context.getExecutionCancelSignal();
		if (isTool(node)) this.deadline = monotonicNow() + longestToolWait;
		this.concurrency = new ItemConcurrency(rateLimiters);
		this.memory = new ExecutionMemory(context);
		this.shared = {
			format,
			isHosted,
			account,
			notices: new Set(),
			ownNotes: new Set(),
			removed: new Removed(),
			spending: spendingOf(this.signal, node.id),
			today: () => todayOf(context),
			running: new RunningJobs(),
			fetches: new Semaphore(mostFetches),
		};
	}

	/** Attributes the errors of an item to it. */
	errorSourceOf(itemIndex: number): ErrorSource {
		const { node, operation, connection } = this;
		return { node, itemIndex, fields: operation.fields, redact: connection.redact };
	}

	/** Reads and validates the input of one item before anything is sent for any item. */
	private prepareItem(
		values: Outcome<Values>,
		files: IBinaryKeyData | undefined,
		itemIndex: number,
		readSettings: ReturnType<typeof settingsReader>,
	): Outcome<Task> {
		const errorSource = this.errorSourceOf(itemIndex);
		if (!values.ok) return { ok: false, error: asNodeError(values.error, errorSource) };
		const deep = this.operation.fields.filter(({ name }) => isTooDeep(values.value[name]));
		if (deep.length > 0) {
			return {
				ok: false,
				error: inputError(
					// A group of the editor has no path in the API's body, so the error names the
					// group.
					deep.map(({ displayName }) => ({
						code: 'custom',
						path: [displayName],
						message: tooDeep,
					})),
					errorSource,
				),
			};
		}
		const { schema, read } = this.operation;
		const checked = attempt(() => ({
			settings: readSettings(values.value),
			body: schema.safeParse(read(values.value, files)),
		}));
		if (!checked.ok) return { ok: false, error: asNodeError(checked.error, errorSource) };
		const { settings, body } = checked.value;
		if (settings.success && body.success) {
			const requests = [{ itemIndex, body: body.data }];
			for (const notice of this.noticesOfEmptyGroups(values.value)) this.shared.notices.add(notice);
			return {
				ok: true,
				value: { body: body.data, settings: settings.data, requests },
			};
		}
		const issues = [...(body.error?.issues ?? []), ...(settings.error?.issues ?? [])];
		return { ok: false, error: inputError(issues, errorSource) };
	}

	/** Validates the items and merges those that share one request. */
	prepare(): Tasks {
		const { context, operation } = this;
		const names = operation.fields.map(({ name }) => name);
		const read = parameterReader(context, names);
		const readSettings = settingsReader();
		const each = context.getInputData().map(({ binary }, itemIndex) =>
			this.prepareItem(
				attempt(() => read(itemIndex)),
				binary,
				itemIndex,
				readSettings,
			),
		);
		return mergeItems(each, operation, (itemIndex) => this.errorSourceOf(itemIndex));
	}

	/** Warns of groups that the user left empty. */
	private noticesOfEmptyGroups(values: Values): string[] {
		const { operation, checkedGroups } = this;
		const groups = Object.entries(values).filter(
			(entry): entry is [string, JsonRecord] => isRecord(entry[1]) && !checkedGroups.has(entry[1]),
		);
		if (groups.length === 0) return [];
		for (const [, group] of groups) checkedGroups.add(group);
		const ways = emptyGroupsIn({
			fields: operation.fields,
			values: Object.fromEntries(groups),
			way: [],
		});
		return ways.map((way) => `'${way}' is empty: it was not sent.`);
	}

	/** Runs one task and returns its items. @throws NodeApiError or NodeOperationError */
	async perform(
		{ body, settings, requests }: Task,
		errorSource: ErrorSource,
	): Promise<INodeExecutionData[]> {
		const { context, operation, connection, shared } = this;
		const { notices } = shared;
		const hints = [...noticeOfUnchecked(requests, errorSource), ...(operation.hints?.(body) ?? [])];
		hints.forEach((hint) => notices.add(hint));
		const requestContext: RequestContext = {
			context,
			rateLimiters: this.concurrency.rateLimiters,
			inPrivateNetwork: connection.inPrivateNetwork,
			errorSource,
			signal: this.signal,
			deadline: this.deadline,
			policy: policyOf(settings, context.getMode()),
			notice: (text) => notices.add(text),
			omitsUnknownFields: settings.onUnsupportedField === 'omit',
			onUncertainRepeat: () => (this.uncertainRepeats += 1),
		};
		const itemContext: ItemContext = {
			execution: shared,
			requestContext,
			settings,
			requests,
		};
		const { memory, accept } = this.memory.ofItem();
		const operationContext = operationContextOf(itemContext, context, memory);
		if (settings.estimateOnly) {
			const json = await estimate(async (estimating) => {
				await operation.run(body, estimating);
			}, operationContext);
			return [{ json, pairedItem: pairedWith(requests.map(indexOf)) }];
		}
		const results = await operation.run(body, operationContext);
		const items = await complete(results, itemContext, context.helpers);
		accept();
		return items;
	}
}

/**
 * @throws NodeOperationError if this version does not have the operation; UserError for an invalid
 * base URL
 */
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
	return new Execution(context, node, operation, await connect(context), format);
}

type NodeError = NodeApiError | NodeOperationError;

/** Creates the item of a failure for an ordinary node; n8n routes `error` to the error output. */
const errorItem = (error: NodeError, items: number[]): INodeExecutionData => ({
	json: { error: error.message },
	error,
	pairedItem: pairedWith(items),
});

/**
 * Runs the action node. Validates all items before the first request, then sends them with rate
 * limits and retries, and returns their results in the order of the input. If 'On Error' is set to
 * continue, a failed item becomes an error item and the others keep their results. Otherwise
 * invalid input stops the run before the first request, and the first failure stops it later.
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
		const errorSource = { node, itemIndex: 0, fields: [], redact: String };
		const error = asNodeError(opened.error, errorSource);
		if (!isTool(node)) throw error;
		return [await toolResult(context, { failures: [error] }, errorSource)];
	}
	const execution = opened.value;
	const { signal, shared } = execution;
	const { notices, running } = shared;
	const stops = !context.continueOnFail() && !isTool(node);
	const tasks = execution.prepare();
	const rejected = tasks.find((task) => task && !task.ok);
	if (rejected && !rejected.ok && stops) throw rejected.error;

	const failures: ItemFailure[] = [];
	const ready = tasks.find((task) => task?.ok);
	const settings = ready?.ok ? ready.value.settings : undefined;
	const most = mostItems(execution.operation, settings?.maxConcurrency, !stops);
	const outcomes = await mapConcurrent(
		tasks,
		() => Math.min(most, execution.concurrency.limit),
		async (task, itemIndex): Promise<Outcome<INodeExecutionData[]> | undefined> => {
			if (!task || !task.ok) return task;
			const errorSource = execution.errorSourceOf(itemIndex);
			const outcome = await settle(execution.perform(task.value, errorSource));
			if (outcome.ok) return outcome;
			const error = asNodeError(outcome.error, errorSource);
			failures.push({ error, itemIndex });
			return { ok: false, error };
		},
		() => signal?.aborted === true || (failures.length > 0 && stops),
	);

	if (signal?.aborted) throw running.namedIn(stoppedError(execution.errorSourceOf(0)));
	const completed = outcomes.filter((outcome) => outcome?.ok).length;
	if (failures.length > 0 && stops) throw failFastError(failures, completed);
	const { uncertainRepeats } = execution;
	if (uncertainRepeats > 0) {
		(isTool(node) ? shared.ownNotes : notices).add(
			`${pluralize(uncertainRepeats, 'request')} ${uncertainRepeats === 1 ? 'was' : 'were'} retried after a gateway error or timeout; earlier responses may have been charged. 'Retry Unclear Responses' turns this off.`,
		);
	}
	for (const note of shared.removed.notes) notices.add(note);
	const messages = shownNotices(notices, execution.connection.redact);
	for (const notice of messages) {
		const message = withoutMarkup(notice);
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	}
	execution.memory.write();
	if (isTool(node)) {
		const errorSource = execution.errorSourceOf(0);
		const outcome = {
			results: outcomes.flatMap((each) => (each?.ok ? each.value : [])),
			failures: outcomes.flatMap((each) =>
				each && !each.ok ? [asNodeError(each.error, errorSource)] : [],
			),
			notices: messages,
			ownNotes: [...shared.ownNotes],
			settings,
			question:
				settings?.passageQuery ?? (ready?.ok ? format.questionIn(ready.value.body) : undefined),
			htmlTexts: format.htmlTexts,
		};
		return [await toolResult(context, outcome, errorSource)];
	}
	const items = outcomes.flatMap((outcome, itemIndex): INodeExecutionData[] => {
		if (!outcome) return [];
		if (outcome.ok) return outcome.value;
		const error = asNodeError(outcome.error, execution.errorSourceOf(itemIndex));
		const task = tasks[itemIndex];
		const items = task?.ok ? task.value.requests.map(indexOf) : [itemIndex];
		return [errorItem(error, items)];
	});
	return [items];
}
