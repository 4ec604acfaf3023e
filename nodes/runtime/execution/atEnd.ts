import type { IExecuteFunctions } from 'n8n-workflow';
import { pathOf, unstoppable, type Request } from '../http/client';
import { stoppedError } from '../errors/webDataError';
import { propertyOf } from '../values/record';
import { settle, type Outcome } from '../values/outcome';
import type { ApiResponse } from '../errors/response';
import { send, type RequestContext } from '../http/send';
import { settingsSchema } from '../form/settings';
import { policyOf } from './item';

/** Sends a harmless request even after a stop. Never throws: the service times out by itself. */
export async function sendUncancellable(
	request: Request,
	requestContext: RequestContext,
): Promise<Outcome<ApiResponse>> {
	return await settle(
		send(request, {
			...requestContext,
			context: unstoppable(requestContext.context),
			policy: policyOf(settingsSchema.parse({})),
			limiters: undefined,
			signal: undefined,
			deadline: undefined,
		}),
	);
}

/** Sends a start; if stopped before its response, also what `cancellationFor` returns for that. @throws WebDataError */
export async function startOrCancel(
	request: Request,
	cancellationFor: (response: ApiResponse) => Request | undefined,
	requestContext: RequestContext,
): Promise<ApiResponse> {
	const { signal, errorSource } = requestContext;
	const started = send(request, {
		...requestContext,
		context: unstoppable(requestContext.context),
	});
	return await new Promise((resolve, reject) => {
		const cancel = async (response: ApiResponse) => {
			const end = cancellationFor(response);
			if (end) await sendUncancellable(end, requestContext);
		};
		const stop = () => {
			reject(stoppedError(errorSource));
			void started.then(cancel, () => undefined);
		};
		signal?.addEventListener('abort', stop, { once: true });
		void started.then(resolve, reject).then(() => signal?.removeEventListener('abort', stop));
	});
}

/**
 * Registers a handler for the end of the execution; suspending does not end it. Does nothing if n8n
 * has no such event.
 *
 * Host: `onExecutionFinish` exists from n8n 2.33 on; before, only n8n's internal hooks.
 */
function onExecutionFinish(context: IExecuteFunctions, handler: () => Promise<void>): void {
	if (context.onExecutionFinish) {
		context.onExecutionFinish(handler);
		return;
	}
	const hooks = propertyOf(Reflect.get(context, 'additionalData'), 'hooks');
	const addHandler = propertyOf(hooks, 'addHandler');
	if (typeof addHandler !== 'function') return;
	const onEnd = async (run: unknown) => {
		if (propertyOf(run, 'waitTill') === undefined) await handler();
	};
	Reflect.apply(addHandler, hooks, ['workflowExecuteAfter', onEnd]);
}

/** The requests that each execution sends at its end, by method and path. */
const lastRequests = new WeakMap<object, Map<string, () => Promise<unknown>>>();

/**
 * Sends a harmless request once when the execution ends or is stopped, even if several items and
 * nodes request it. Without n8n's end event, sends it only after a stop.
 * @returns a function that withdraws the request, unless it was already scheduled
 */
export function atExecutionEnd(
	request: Request,
	context: IExecuteFunctions,
	requestContext: RequestContext,
): () => void {
	const nothing = () => undefined;
	const signal = context.getExecutionCancelSignal();
	if (signal?.aborted) {
		void sendUncancellable(request, requestContext);
		return nothing;
	}
	const execution = signal ?? context;
	const known = lastRequests.get(execution);
	const due = known ?? new Map<string, () => Promise<unknown>>();
	const name = `${request.endpoint.method} ${pathOf(request)}`;
	const withdraw = due.has(name) ? nothing : () => void due.delete(name);
	due.set(name, async () => await sendUncancellable(request, requestContext));
	if (known) return withdraw;
	lastRequests.set(execution, due);
	const sendAll = async () => {
		const requests = [...due.values()];
		due.clear();
		await Promise.all(requests.map(async (send) => await send()));
	};
	signal?.addEventListener('abort', () => void sendAll(), { once: true });
	onExecutionFinish(context, sendAll);
	return withdraw;
}
