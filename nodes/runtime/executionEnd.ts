import type { IExecuteFunctions } from 'n8n-workflow';
import { exchange, type HttpContext, type Request } from './client';
import { settle } from './outcome';
import { memberOf } from './record';
import { persist, type Line } from './send';

/** n8n aborts every request of a stopped execution; through this view of it, a last request still goes out. */
const unstoppable = (context: HttpContext): HttpContext =>
	new Proxy(context, {
		has: (target, key) => key !== 'getExecutionCancelSignal' && key in target,
	});

/** Sends a harmless request even when the execution was stopped. Its failure is nobody's: what it would end has its own end at the service. */
export async function sendRegardless(request: Request, line: Line): Promise<void> {
	const context = unstoppable(line.context);
	const once = async () => await exchange(context, request);
	await settle(
		persist(once, request.cost, { ...line, context, gate: undefined, signal: undefined }),
	);
}

type AddHandler = (name: string, handler: (run: unknown) => Promise<void>) => void;

/** Has n8n tell when the execution has ended, which one that only goes to sleep has not. Older versions tell it to their own parts alone, by hooks. */
function onFinish(context: IExecuteFunctions, handler: () => Promise<void>): void {
	if (context.onExecutionFinish) {
		context.onExecutionFinish(handler);
		return;
	}
	const hooks = memberOf(Reflect.get(context, 'additionalData'), 'hooks');
	const addHandler = memberOf(hooks, 'addHandler');
	if (typeof addHandler !== 'function') return;
	const add: AddHandler = addHandler.bind(hooks);
	add('workflowExecuteAfter', async (run) => {
		if (memberOf(run, 'waitTill') === undefined) await handler();
	});
}

/** What each execution leaves to be sent at its end, by method and path. */
const lastRequests = new WeakMap<object, Map<string, () => Promise<void>>>();

/**
 * Sends a harmless request when the execution has ended or was stopped: once, however many items and
 * nodes ask for it. Where n8n does not tell the end, only a stop is noticed.
 */
export function atExecutionEnd(request: Request, context: IExecuteFunctions, line: Line): void {
	const signal = context.getExecutionCancelSignal();
	const execution = signal ?? context;
	const known = lastRequests.get(execution);
	const due = known ?? new Map<string, () => Promise<void>>();
	const { method, path } = request;
	due.set(`${method} ${path}`, async () => await sendRegardless(request, line));
	if (known) return;
	lastRequests.set(execution, due);
	const sendAll = async () => {
		const requests = [...due.values()];
		due.clear();
		await Promise.all(requests.map(async (send) => await send()));
	};
	signal?.addEventListener('abort', () => void sendAll(), { once: true });
	onFinish(context, sendAll);
}
