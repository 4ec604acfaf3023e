import type { IExecuteFunctions } from 'n8n-workflow';
import { propertyOf } from '../values/record';

type AddHandler = (name: string, handler: (run: unknown) => Promise<void>) => void;

const isAddHandler = (value: unknown): value is AddHandler => typeof value === 'function';

/**
 * Registers a handler for the end of the execution; suspending does not end it. Does nothing if n8n
 * has no such event.
 *
 * Host: `onExecutionFinish` exists from n8n 2.33 on; before, only n8n's internal hooks.
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
