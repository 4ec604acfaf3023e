import type {
	IExecuteData,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { attempt } from '../values/settle';
import { isRecord, propertyOf } from '../values/record';

/** Member of an entry of n8n's stack that holds what the first run left for the second. */
const noteName = 'webDataAsleep';

const isEntry = (value: unknown): value is IExecuteData =>
	isRecord(value) && isRecord(value.node) && isRecord(value.data);

const isStack = (value: unknown): value is IExecuteData[] =>
	Array.isArray(value) && value.every(isEntry);

/** What n8n has still to run, first things first; stored with an execution that sleeps. */
function stackOf(context: IExecuteFunctions | IWebhookFunctions): IExecuteData[] | undefined {
	const runData: unknown = Reflect.get(context, 'runExecutionData');
	const stack = propertyOf(propertyOf(runData, 'executionData'), 'nodeExecutionStack');
	return isStack(stack) ? stack : undefined;
}

function entryOf(context: IExecuteFunctions): IExecuteData | undefined {
	const entry = attempt((): unknown => context.getExecuteData());
	return entry.ok && isEntry(entry.value) ? entry.value : undefined;
}

/** Whether n8n lets a node be run once more after a sleep. */
export const hasSecondRun = (context: IExecuteFunctions): boolean =>
	stackOf(context) !== undefined && entryOf(context) !== undefined;

/**
 * Has the node run once more, with the same input, when the execution that is put to sleep goes on.
 *
 * Host: n8n puts the entry of the sleeping node back on its stack, and runs it as a disabled node when the
 * wait is over: what it holds passes through. So this one is emptied, and a copy behind it has the input.
 */
export function scheduleResume(context: IExecuteFunctions, note: object): void {
	const entry = entryOf(context);
	const stack = stackOf(context);
	if (!entry || !stack) return;
	const again: IExecuteData = { ...entry, node: { ...entry.node } };
	Reflect.set(again, noteName, note);
	stack.unshift(again);
	entry.node = { ...entry.node, alwaysOutputData: false };
	entry.data = { main: [] };
}

/** What the first run left, in the second; undefined in any other run. */
export const resumedState = (context: IExecuteFunctions): unknown =>
	propertyOf(entryOf(context), noteName);

/** What the first run left, for a call that comes while the execution sleeps. */
export const savedState = (context: IWebhookFunctions): unknown =>
	propertyOf(stackOf(context)?.[1], noteName);

/**
 * Has the second run begin with what a call gives to n8n.
 *
 * Host: n8n hands it to the first entry of the stack, which it has disabled for the call; so that goes.
 */
export function startResumedRun(context: IWebhookFunctions, note: object): INodeExecutionData[][] {
	const stack = stackOf(context) ?? [];
	stack.shift();
	const [again] = stack;
	Reflect.set(again, noteName, note);
	return (again.data.main ?? []).map((items) => items ?? []);
}
