import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { credentialType } from '../runtime/http/client';
import { connect, type Connection } from '../runtime/http/connection';
import type { ErrorSource } from '../runtime/api/errors';
import type { ReadContext } from '../runtime/operation/operation';
import { monotonicNow } from '../runtime/values/clock';
import { settle } from '../runtime/values/settle';
import { fixedPolicy } from '../runtime/api/retry';
import { send, type RequestContext } from '../runtime/http/send';
import { triggerFields } from './settings';

/** Activation waits for these requests, so retries end early. Milliseconds. */
const policy = fixedPolicy({ maxAttempts: 6, budget: 60_000 }, 5_000);

/** The trigger's connection to the service, with its credential. */
export interface TriggerConnection extends Connection {
	errorSource: ErrorSource;
	send: ReadContext['send'];
}

/** Milliseconds for which webhook requests of a trigger share a credential. */
const sharedMilliseconds = 10_000;

/** Connections for webhook requests, by trigger. */
const shared = new Map<string, { connection: Promise<Connection>; until: number }>();

/**
 * Connects for a webhook request. Outside an execution, n8n creates an isolate for expressions at
 * each read of a credential, 150 ms of CPU time, so webhook requests in quick succession share the
 * connection.
 */
export async function connectForWebhook(context: IWebhookFunctions): Promise<Connection> {
	const now = monotonicNow();
	for (const [key, { until }] of shared) if (until <= now) shared.delete(key);
	const { id, credentials } = context.getNode();
	const key = [context.getWorkflow().id, id, credentials?.[credentialType]?.id].join(' ');
	const known = shared.get(key);
	if (known) return await known.connection;
	const connection = connect(context);
	shared.set(key, { connection, until: now + sharedMilliseconds });
	const read = await settle(connection);
	if (!read.ok) shared.delete(key);
	return await connection;
}

/** Connects a trigger for activation, deactivation or a webhook request. */
export async function open(
	context: IHookFunctions | IWebhookFunctions,
	connecting: Promise<Connection> = connect(context),
): Promise<TriggerConnection> {
	const connection = await connecting;
	const errorSource: ErrorSource = {
		node: context.getNode(),
		fields: triggerFields,
		redact: connection.redact,
	};
	const requestContext: RequestContext = {
		context,
		rateLimiters: connection.rateLimiters,
		errorSource,
		policy,
	};
	return {
		...connection,
		errorSource,
		send: async (request) => await send(request, requestContext),
	};
}
