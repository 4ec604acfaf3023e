import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { credentialType } from '../runtime/http/client';
import { connect, type Connection } from '../runtime/http/connection';
import type { ErrorSource } from '../runtime/api/errors';
import type { Call } from '../runtime/operation/operation';
import { monotonicNow } from '../runtime/values/clock';
import { settle } from '../runtime/values/settle';
import { fixedPolicy } from '../runtime/api/retry';
import { send, type RequestContext } from '../runtime/http/send';
import { triggerFields } from './settings';

/** Activation waits for these requests, so they are not repeated for long. Milliseconds. */
const policy = fixedPolicy({ maxTries: 6, budget: 60_000 }, 5_000);

/** The trigger's connection to the service, by the credential that it uses. */
export interface TriggerConnection extends Connection {
	errorSource: ErrorSource;
	send: Call['send'];
}

/** How long the calls of a trigger share what was read of its credential. Milliseconds. */
const sharedFor = 10_000;

/** What was read of credentials for calls, by trigger. */
const shared = new Map<string, { connection: Promise<Connection>; until: number }>();

/**
 * Takes up the credential for a call. Outside an execution n8n makes an isolate for expressions whenever
 * it reads one, 150 ms of the processor, so calls that come close together share the reading.
 */
export async function connectForCall(context: IWebhookFunctions): Promise<Connection> {
	const now = monotonicNow();
	for (const [key, { until }] of shared) if (until <= now) shared.delete(key);
	const { id, credentials } = context.getNode();
	const key = [context.getWorkflow().id, id, credentials?.[credentialType]?.id].join(' ');
	const known = shared.get(key);
	if (known) return await known.connection;
	const connection = connect(context);
	shared.set(key, { connection, until: now + sharedFor });
	const read = await settle(connection);
	if (!read.ok) shared.delete(key);
	return await connection;
}

/** Opens the connection of a trigger that is activated, deactivated or called. */
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
