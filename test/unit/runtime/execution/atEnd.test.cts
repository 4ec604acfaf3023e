import '../../../engine/environment.cjs';
import 'reflect-metadata';

import { ExecutionLifecycleHooks } from 'n8n-core';
import type { IExecuteFunctions, IRun, IWorkflowBase } from 'n8n-workflow';
import { atExecutionEnd, sendUncancellable } from '../../../../nodes/runtime/execution/atEnd';
import type { RequestContext } from '../../../../nodes/runtime/http/send';
import { errorSource, defaultPolicy } from '../../schemaAssertions.cjs';
import { asRequest } from '../../requests.cjs';

type Handler = (run?: unknown) => Promise<void>;

/** How n8n tells the end of an execution: newer versions to nodes, older ones to their own parts alone. */
type ToolResultOptions = 'to nodes' | 'by hooks' | 'not at all';

const workflowData = { id: 'workflow', name: 'Research', nodes: [] } as unknown as IWorkflowBase;

/** An execution of n8n, which lets no request out once it knows of a stop, and what its node sent. */
function execution(telling: ToolResultOptions = 'by hooks', statuses: number[] = [200]) {
	const stop = new AbortController();
	const sent: string[] = [];
	// n8n's own: its methods are those of a class.
	const hooks = new ExecutionLifecycleHooks('manual', 'execution', workflowData);
	const told: Handler[] = [];
	const handlers = telling === 'by hooks' ? hooks.handlers.workflowExecuteAfter : told;
	const context = {
		getExecutionCancelSignal: () => stop.signal,
		...(telling === 'by hooks' && { additionalData: { hooks } }),
		...(telling === 'to nodes' && { onExecutionFinish: (handler: Handler) => told.push(handler) }),
		helpers: {
			async httpRequestWithAuthentication(
				this: object,
				_type: string,
				{ method, url, abortSignal }: { method: string; url: string; abortSignal: AbortSignal },
			) {
				const signal = 'getExecutionCancelSignal' in this ? stop.signal : abortSignal;
				if (signal.aborted) throw new Error('aborted');
				sent.push(`${method} ${url}`);
				const statusCode = statuses[Math.min(sent.length, statuses.length) - 1];
				return await Promise.resolve({ statusCode, headers: {}, body: { success: true } });
			},
		},
	} as unknown as IExecuteFunctions;
	const requestContext: RequestContext = {
		context,
		errorSource: errorSource(),
		policy: defaultPolicy,
		signal: stop.signal,
	};
	const endWith = (id: string) => atExecutionEnd(remove(id), context, requestContext);
	const end = async (run: unknown = {}) => {
		await hooks.runHook('workflowExecuteAfter', [run as IRun, {}]);
		for (const handler of told) await handler(run);
	};
	return { context, requestContext, stop, sent, endWith, end, handlers };
}

const remove = (id: string) => asRequest({ method: 'DELETE', path: `/interact/${id}` });

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

describe('a request for the end of an execution', () => {
	it.each<ToolResultOptions>(['to nodes', 'by hooks'])(
		'goes out when n8n tells the end, and not before (%s)',
		async (telling) => {
			const { sent, endWith, end } = execution(telling);
			endWith('a');
			await jest.runAllTimersAsync();
			expect(sent).toEqual([]);
			await end();
			expect(sent).toEqual(['DELETE /interact/a']);
		},
	);

	it.each<ToolResultOptions>(['to nodes', 'by hooks', 'not at all'])(
		'goes out when the execution is stopped, once (%s)',
		async (telling) => {
			const { stop, sent, endWith, end } = execution(telling);
			endWith('a');
			stop.abort();
			await end();
			await end();
			await jest.runAllTimersAsync();
			expect(sent).toEqual(['DELETE /interact/a']);
		},
	);

	it('waits for the true end when the execution goes to sleep', async () => {
		const { sent, endWith, end } = execution('by hooks');
		endWith('a');
		await end({ waitTill: new Date() });
		expect(sent).toEqual([]);
		await end({ waitTill: undefined });
		expect(sent).toEqual(['DELETE /interact/a']);
	});

	it('goes out once however often it is asked for, and beside others', async () => {
		const { sent, endWith, end, handlers } = execution();
		for (const id of ['a', 'b', 'a']) endWith(id);
		expect(handlers).toHaveLength(1);
		await end();
		expect(sent.sort()).toEqual(['DELETE /interact/a', 'DELETE /interact/b']);
	});

	it.each<[string, object]>([
		['no hooks', { additionalData: {} }],
		['hooks of another kind', { additionalData: { hooks: { addHandler: 'later' } } }],
		['neither end nor stop told', { additionalData: undefined, getExecutionCancelSignal() {} }],
	])('asks for nothing that is not there: %s', (_, parts) => {
		const { context, requestContext, sent } = execution();
		const bare = { ...context, ...parts };
		expect(() => atExecutionEnd(remove('a'), bare, requestContext)).not.toThrow();
		expect(sent).toEqual([]);
	});
});

describe('a request that goes out whatever happens', () => {
	const stopped = async (...statuses: number[]) => {
		const { requestContext, stop, sent } = execution('not at all', statuses);
		stop.abort();
		const done = sendUncancellable(remove('a'), requestContext);
		await jest.runAllTimersAsync();
		await done;
		return sent.length;
	};

	it('goes out though the execution was stopped', async () => {
		expect(await stopped(200)).toBe(1);
	});

	it('is repeated as others are, and its failure is nobody’s', async () => {
		expect(await stopped(503, 503, 200)).toBe(3);
		expect(await stopped(503)).toBe(5);
		expect(await stopped(404)).toBe(1);
	});
});
