import type { IExecuteFunctions } from 'n8n-workflow';
import { exchange, pathOf, retrySafetyOf, unstoppable, type Request } from '../http/client';
import { stoppedError } from '../api/errors';
import { onExecutionFinish } from '../host/executionFinish';
import { settle, type Outcome } from '../values/settle';
import type { ApiResponse } from '../api/retry';
import { sendWithRetries, send, type RequestContext } from '../http/send';

/** Sends a harmless request even after the execution was stopped. Never throws: what it would end times out at the service. */
export async function sendUncancellable(
	request: Request,
	requestContext: RequestContext,
): Promise<Outcome<ApiResponse>> {
	const context = unstoppable(requestContext.context);
	const once = async () => await exchange(context, request);
	return await settle(
		sendWithRetries(once, retrySafetyOf(request), {
			...requestContext,
			context,
			rateLimiters: undefined,
			signal: undefined,
		}),
	);
}

/**
 * Sends what starts something at the service. When the execution is stopped before the answer has come,
 * what was started is ended as soon as the answer names it: nobody waits for it any more. `ending` is
 * the request for that, or undefined where the user wants it to go on.
 * @throws NodeApiError; NodeOperationError when stopped
 */
export async function startOrCancel(
	request: Request,
	ending: (response: ApiResponse) => Request | undefined,
	requestContext: RequestContext,
): Promise<ApiResponse> {
	const { signal, errorSource } = requestContext;
	const started = send(request, {
		...requestContext,
		context: unstoppable(requestContext.context),
	});
	if (!signal) return await started;
	let stop = () => {};
	const stopped = new Promise<never>((_, reject) => {
		stop = () => reject(stoppedError(errorSource));
		signal.addEventListener('abort', stop, { once: true });
	});
	const outcome = await settle(Promise.race([started, stopped]));
	signal.removeEventListener('abort', stop);
	if (outcome.ok) return outcome.value;
	if (signal.aborted) {
		void started.then(
			async (response) => {
				const end = ending(response);
				if (end) await sendUncancellable(end, requestContext);
			},
			() => undefined,
		);
	}
	throw outcome.error;
}

/** What each execution leaves to be sent at its end, by method and path. */
const lastRequests = new WeakMap<object, Map<string, () => Promise<unknown>>>();

/**
 * Sends a harmless request when the execution has ended or was stopped: once, however many items and
 * nodes ask for it. Where n8n does not tell the end, only a stop is noticed.
 * @returns what takes the request back, unless it was asked for before
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
	const takeBack = due.has(name) ? nothing : () => void due.delete(name);
	due.set(name, async () => await sendUncancellable(request, requestContext));
	if (known) return takeBack;
	lastRequests.set(execution, due);
	const sendAll = async () => {
		const requests = [...due.values()];
		due.clear();
		await Promise.all(requests.map(async (send) => await send()));
	};
	signal?.addEventListener('abort', () => void sendAll(), { once: true });
	onExecutionFinish(context, sendAll);
	return takeBack;
}
