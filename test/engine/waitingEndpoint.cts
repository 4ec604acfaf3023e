import type { IWebhookResponseData } from 'n8n-workflow';
import { openEndpoint, RefusedCall, type Endpoint, type WebhookCall } from './webhookEndpoint.cjs';

/** A call of an execution that waits. */
export interface WaitingCall extends Omit<WebhookCall, 'pathname'> {
	executionId: string;
	/** What follows the execution's id in the path. */
	suffix: string;
}

type Answer = (call: WaitingCall) => Promise<IWebhookResponseData | 'answered'>;

/** Listens on loopback for calls of waiting executions. */
export const openWaitingEndpoint = async (answer: Answer, port: number): Promise<Endpoint> =>
	await openEndpoint(async ({ pathname, ...call }) => {
		const [, executionId, suffix = ''] =
			/^\/webhook-waiting\/([^/]+)(?:\/(.+))?$/.exec(pathname) ?? [];
		if (executionId === undefined) throw new RefusedCall(404, 'Not Found');
		return await answer({ ...call, executionId, suffix });
	}, port);
