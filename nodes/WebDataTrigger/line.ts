import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { connect, type Connection } from '../runtime/connection';
import type { Place } from '../runtime/errors';
import type { Call } from '../runtime/operation';
import type { RetryPolicy } from '../runtime/retry';
import { send, type Line } from '../runtime/send';
import { triggerFields } from './settings';

/** Activation waits for these requests, so they are not repeated for long. Milliseconds. */
const patience = { maxTries: 6, budget: 60_000 };
const policy: RetryPolicy = {
	...patience,
	backOffCap: 5_000,
	repeatUncertain: false,
	processing: patience,
};

/** The trigger's line to the service, with the credential that it uses. */
export interface TriggerLine extends Connection {
	place: Place;
	send: Call['send'];
}

/** Opens the line of a trigger that is activated, deactivated or called. */
export async function open(context: IHookFunctions | IWebhookFunctions): Promise<TriggerLine> {
	const connection = await connect(context);
	const place: Place = {
		node: context.getNode(),
		fields: triggerFields,
		conceal: connection.conceal,
	};
	const line: Line = { context, gate: connection.gate, place, policy };
	return { ...connection, place, send: async (request) => await send(request, line) };
}
