import type { IExecuteFunctions } from 'n8n-workflow';
import { exchange, unstoppable, type Request } from './client';
import { stoppedError } from './errors';
import { onExecutionFinish } from './host/executionFinish';
import { settle, type Outcome } from './outcome';
import type { Answer } from './retry';
import { persist, send, type Line } from './send';

/** Sends a harmless request even when the execution was stopped. Never throws: what it would end has its own end at the service. */
export async function sendRegardless(request: Request, line: Line): Promise<Outcome<Answer>> {
	const context = unstoppable(line.context);
	const once = async () => await exchange(context, request);
	return await settle(
		persist(once, request.cost, { ...line, context, rateLimiters: undefined, signal: undefined }),
	);
}

/**
 * Sends what starts something at the service. When the execution is stopped before the answer has come,
 * what was started is ended as soon as the answer names it: nobody waits for it any more. `ending` is
 * the request for that, or undefined where the user wants it to go on.
 * @throws NodeApiError; NodeOperationError when stopped
 */
export async function startOrEnd(
	request: Request,
	ending: (answer: Answer) => Request | undefined,
	line: Line,
): Promise<Answer> {
	const { signal, place } = line;
	const started = send(request, { ...line, context: unstoppable(line.context) });
	if (!signal) return await started;
	let stop = () => {};
	const stopped = new Promise<never>((_, reject) => {
		stop = () => reject(stoppedError(place));
		signal.addEventListener('abort', stop, { once: true });
	});
	const outcome = await settle(Promise.race([started, stopped]));
	signal.removeEventListener('abort', stop);
	if ('value' in outcome) return outcome.value;
	if (signal.aborted) {
		void started.then(
			async (answer) => {
				const end = ending(answer);
				if (end) await sendRegardless(end, line);
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
	line: Line,
): () => void {
	const nothing = () => undefined;
	const signal = context.getExecutionCancelSignal();
	if (signal?.aborted) {
		void sendRegardless(request, line);
		return nothing;
	}
	const execution = signal ?? context;
	const known = lastRequests.get(execution);
	const due = known ?? new Map<string, () => Promise<unknown>>();
	const { method, path } = request;
	const name = `${method} ${path}`;
	const takeBack = due.has(name) ? nothing : () => void due.delete(name);
	due.set(name, async () => await sendRegardless(request, line));
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
