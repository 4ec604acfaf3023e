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

/** n8n tells the end of an execution to its own parts only; where it lets a node listen, this does. */
function addHandlerOf(context: IExecuteFunctions): AddHandler | undefined {
	const hooks = memberOf(Reflect.get(context, 'additionalData'), 'hooks');
	const addHandler = memberOf(hooks, 'addHandler');
	return typeof addHandler === 'function' ? addHandler.bind(hooks) : undefined;
}

/**
 * Does some work once, when the execution has ended or was stopped. An execution that only goes to
 * sleep has not ended. Where n8n does not tell the end, only a stop is noticed.
 */
export function atExecutionEnd(context: IExecuteFunctions, work: () => Promise<void>): void {
	let done = false;
	const once = async () => {
		if (done) return;
		done = true;
		await work();
	};
	context.getExecutionCancelSignal()?.addEventListener('abort', () => void once(), { once: true });
	addHandlerOf(context)?.('workflowExecuteAfter', async (run) => {
		if (memberOf(run, 'waitTill') === undefined) await once();
	});
}
