import * as n8nWorkflow from 'n8n-workflow';

type Delay = (ms: number, signal?: AbortSignal) => Promise<void>;

const isDelay = (value: unknown): value is Delay => typeof value === 'function';

const earlier: unknown = Reflect.get(n8nWorkflow, 'sleepWithAbort');

/**
 * Waits for some milliseconds; rejects when the signal is aborted.
 *
 * Host: n8n-workflow's `sleep` takes a signal from n8n 2.34 on; before, `sleepWithAbort` did.
 */
export const delay: Delay = isDelay(earlier) ? earlier : n8nWorkflow.sleep;
