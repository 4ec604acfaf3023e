import type {
	IExecuteData,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { attempt } from '../values/settle';
import { isRecord, propertyOf } from '../values/record';

/** Property of an entry of n8n's execution stack that stores the wait state. */
const stateProperty = 'webDataWaitState';

const isEntry = (value: unknown): value is IExecuteData =>
	isRecord(value) && isRecord(value.node) && isRecord(value.data);

const isStack = (value: unknown): value is IExecuteData[] =>
	Array.isArray(value) && value.every(isEntry);

/** n8n's execution stack, the next entry first; stored with a suspended execution. */
function stackOf(context: IExecuteFunctions | IWebhookFunctions): IExecuteData[] | undefined {
	const runData: unknown = Reflect.get(context, 'runExecutionData');
	const stack = propertyOf(propertyOf(runData, 'executionData'), 'nodeExecutionStack');
	return isStack(stack) ? stack : undefined;
}

function entryOf(context: IExecuteFunctions): IExecuteData | undefined {
	const entry = attempt((): unknown => context.getExecuteData());
	return entry.ok && isEntry(entry.value) ? entry.value : undefined;
}

/** Whether n8n can run a node again on resume. */
export const canResume = (context: IExecuteFunctions): boolean =>
	stackOf(context) !== undefined && entryOf(context) !== undefined;

/**
 * Schedules the node to run again with the same input when the suspended execution resumes.
 *
 * Host: on resume, n8n runs the first entry of its stack as a disabled node, which passes its input
 * through. So that entry is emptied, and a copy behind it has the input.
 */
export function scheduleResume(context: IExecuteFunctions, state: object): void {
	const entry = entryOf(context);
	const stack = stackOf(context);
	if (!entry || !stack) return;
	const copy: IExecuteData = { ...entry, node: { ...entry.node } };
	Reflect.set(copy, stateProperty, state);
	stack.unshift(copy);
	entry.node = { ...entry.node, alwaysOutputData: false };
	entry.data = { main: [] };
}

/** The state that the first run saved, in the resumed run; undefined in any other. */
export const resumedState = (context: IExecuteFunctions): unknown =>
	propertyOf(entryOf(context), stateProperty);

/** The state that the first run saved, for a webhook request of the suspended execution. */
export const savedState = (context: IWebhookFunctions): unknown =>
	propertyOf(stackOf(context)?.[1], stateProperty);

/**
 * Starts the resumed run with the data of a webhook request.
 *
 * Host: n8n passes the data to the first entry of the stack, which it has disabled; so that entry
 * is removed.
 */
export function startResumedRun(context: IWebhookFunctions, state: object): INodeExecutionData[][] {
	const stack = stackOf(context) ?? [];
	stack.shift();
	const [copy] = stack;
	Reflect.set(copy, stateProperty, state);
	return (copy.data.main ?? []).map((items) => items ?? []);
}
