import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { inputError, operationError } from '../runtime/api/errors';
import { triggerParameters } from '../runtime/execution/parameters';
import type { Values } from '../runtime/operation/operation';
import { isPrivateHost } from '../runtime/api/privateAddress';
import { fieldOf, fieldsNamed } from '../runtime/values/record';
import { serviceEvents } from './events';
import { open, type TriggerConnection } from './connection';
import { ownershipMetadata, triggerKey } from './ownership';
import {
	eventParameters,
	newMonitor,
	readNewMonitor,
	triggerSchema,
	triggerFields,
} from './settings';
import { forUser } from '../runtime/api/sentence';

/** A trigger during activation or deactivation: its parameters and its connection to the service. */
export interface TriggerLifecycle {
	context: IHookFunctions;
	connection: TriggerConnection;
	values: Values;
	/** The trigger's webhook URL. */
	webhookUrl: string;
	/** n8n's static data of the node. */
	staticData: IDataObject;
}

/** Reads the trigger's parameters and connects it. */
export async function lifecycleOf(context: IHookFunctions): Promise<TriggerLifecycle> {
	return {
		context,
		connection: await open(context),
		values: triggerParameters(
			context,
			triggerFields.map(({ name }) => name),
		),
		webhookUrl: context.getNodeWebhookUrl('default') ?? '',
		staticData: context.getWorkflowStaticData('node'),
	};
}

/** Validates the trigger's settings. @throws NodeOperationError that names the invalid field */
export function settingsOf({ values, connection }: TriggerLifecycle) {
	const settings = triggerSchema.safeParse(fieldsNamed(values, ...eventParameters));
	if (settings.success) return settings.data;
	throw inputError(settings.error.issues, connection.errorSource);
}

/** The new monitor of the node's parameters. @throws NodeOperationError that names the invalid field */
export function wantedMonitor(lifecycle: TriggerLifecycle): IDataObject {
	const { context, values, connection } = lifecycle;
	const name = `${context.getWorkflow().name ?? 'n8n'}: ${context.getNode().name}`.slice(0, 256);
	const request = newMonitor.safeParse(readNewMonitor(values, name));
	if (!request.success) throw inputError(request.error.issues, connection.errorSource);
	const { events = [] } = settingsOf(lifecycle);
	const metadata = ownershipMetadata(triggerKey(context));
	const webhook = { url: lifecycle.webhookUrl, events: serviceEvents(events), metadata };
	return { ...request.data, webhook };
}

/** Whether a monitor's webhook points to this trigger. */
export const pointsToThisTrigger = ({ webhookUrl }: TriggerLifecycle, monitor: IDataObject) =>
	fieldOf(monitor.webhook, 'url') === webhookUrl;

/** Whether the webhook URL is private, so that the service cannot reach it. */
export const isUnreachable = ({ webhookUrl, connection }: TriggerLifecycle): boolean =>
	isPrivateHost(webhookUrl) && !isPrivateHost(connection.baseUrl);

/** @throws NodeOperationError if the service cannot reach this n8n */
export function rejectUnreachable(lifecycle: TriggerLifecycle): void {
	const { webhookUrl, connection } = lifecycle;
	if (!isUnreachable(lifecycle)) return;
	throw operationError(
		`The server cannot reach this n8n at ${webhookUrl}`,
		[
			forUser(
				`Nothing was registered. Make n8n reachable from the internet and set its WEBHOOK_URL to the public URL, or let the Web Data Polling Trigger poll the checks of a monitor, which needs no webhook.`,
			),
		],
		connection.errorSource,
	);
}
