import type { IExecuteFunctions } from 'n8n-workflow';
import { propertyOf } from '../values/record';

type AddHandler = (name: string, handler: (run: unknown) => Promise<void>) => void;

const isAddHandler = (value: unknown): value is AddHandler => typeof value === 'function';

/**
 * Has n8n tell when the execution has ended, which one that only goes to sleep has not. Where it tells
 * nobody, nothing happens.
 *
 * Host: nodes are told by `onExecutionFinish` from n8n 2.33 on; before, by the hooks that n8n's own parts use.
 */
export function onExecutionFinish(context: IExecuteFunctions, handler: () => Promise<void>): void {
	if (context.onExecutionFinish) {
		context.onExecutionFinish(handler);
		return;
	}
	const hooks = propertyOf(Reflect.get(context, 'additionalData'), 'hooks');
	const addHandler = propertyOf(hooks, 'addHandler');
	if (!isAddHandler(addHandler)) return;
	addHandler.call(hooks, 'workflowExecuteAfter', async (run) => {
		if (propertyOf(run, 'waitTill') === undefined) await handler();
	});
}
