import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { isRecord, memberOf, propertyOf } from '../values/record';

/** What n8n keeps of an execution beside its items: ten short texts, each under a name. */
export interface CustomData {
	get(name: string): unknown;
	set(name: string, value: string): void;
}

const isCustomData = (value: unknown): value is CustomData =>
	isRecord(value) && typeof value.get === 'function' && typeof value.set === 'function';

/**
 * The custom data of the execution that a node runs in; undefined where n8n gives nodes none.
 *
 * Host: the context has it from n8n 2.16 on; before, the values of expressions do.
 */
export function customDataOf(context: IExecuteFunctions): CustomData | undefined {
	const own: unknown = Reflect.get(context, 'customData');
	const found = own ?? memberOf(context.getWorkflowDataProxy(0).$execution, 'customData');
	return isCustomData(found) ? found : undefined;
}

/**
 * An entry of the custom data of the sleeping execution that a call is for.
 *
 * Host: the context has it from n8n 2.16 on; before, the run data that it keeps. (An expression reads it
 * too, but not where n8n evaluates it in an isolate, as 1.123 does: functions do not get there.)
 */
export function customDatum(context: IWebhookFunctions, name: string): unknown {
	const own: unknown = Reflect.get(context, 'customData');
	if (isCustomData(own)) return own.get(name);
	const runData: unknown = Reflect.get(context, 'runExecutionData');
	return memberOf(propertyOf(propertyOf(runData, 'resultData'), 'metadata'), name);
}
