import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { inputError, operationError } from '../runtime/api/errors';
import { triggerParameters } from '../runtime/execution/parameters';
import type { Values } from '../runtime/operation/operation';
import { isPrivateAddress } from '../runtime/api/privateAddress';
import { fieldOf, fieldsNamed } from '../runtime/values/record';
import { serviceEvents } from './events';
import { open, type TriggerConnection } from './connection';
import { markOf, triggerKey, type RegistrationKind } from './mark';
import { newMonitor, readNewMonitor, triggerSchema, triggerFields } from './settings';

/** A trigger that is activated or deactivated: what it wants, and its connection to the service. */
export interface TriggerLifecycle {
	context: IHookFunctions;
	connection: TriggerConnection;
	values: Values;
	/** Where the service is to call. */
	address: string;
	/** n8n's static data of the node. */
	stored: IDataObject;
}

/** Reads what the trigger wants, and connects it. */
export async function lifecycleOf(context: IHookFunctions): Promise<TriggerLifecycle> {
	return {
		context,
		connection: await open(context),
		values: triggerParameters(
			context,
			triggerFields.map(({ name }) => name),
		),
		address: context.getNodeWebhookUrl('default') ?? '',
		stored: context.getWorkflowStaticData('node'),
	};
}

/** What the trigger is set to. @throws NodeOperationError that names what is wrong */
export function settingsOf({ values, connection }: TriggerLifecycle) {
	const settings = triggerSchema.safeParse(
		fieldsNamed(
			values,
			'source',
			'events',
			'jobEvents',
			'onlyMeaningful',
			'addPages',
			'refuseUnsignedCalls',
			'replaceWebhook',
			...(values.source === 'existingMonitor' ? ['monitorId'] : []),
		),
	);
	if (settings.success) return settings.data;
	throw inputError(settings.error.issues, connection.errorSource);
}

/** The webhook that a monitor of this trigger has. */
export function webhookOf(
	{ context, address }: TriggerLifecycle,
	kind: RegistrationKind,
	events: string[] = [],
) {
	const metadata = markOf(kind, triggerKey(context));
	return { url: address, events: serviceEvents(events), metadata };
}

/** The monitor that the node's parameters ask for. @throws NodeOperationError that names what is wrong */
export function wantedMonitor(hook: TriggerLifecycle): IDataObject {
	const { context, values, connection } = hook;
	const name = `${context.getWorkflow().name ?? 'n8n'}: ${context.getNode().name}`.slice(0, 256);
	const request = newMonitor.safeParse(readNewMonitor(values, name));
	if (!request.success) throw inputError(request.error.issues, connection.errorSource);
	return { ...request.data, webhook: webhookOf(hook, 'own', settingsOf(hook).events) };
}

/** Whether a monitor calls this trigger. */
export const pointsToThisTrigger = ({ address }: TriggerLifecycle, monitor: IDataObject) =>
	fieldOf(monitor.webhook, 'url') === address;

/** Whether the address alone tells that the service cannot reach this n8n. */
export const isUnreachable = ({ address, connection }: TriggerLifecycle): boolean =>
	isPrivateAddress(address) && !isPrivateAddress(connection.baseUrl);

/** @throws NodeOperationError when the service cannot reach this n8n */
export function refuseUnreachable(hook: TriggerLifecycle): void {
	const { address, connection } = hook;
	if (!isUnreachable(hook)) return;
	throw operationError(
		`The service cannot reach this n8n at ${address}`,
		`Nothing was registered. Make n8n reachable from the internet and set its WEBHOOK_URL to that address, or use the Web Data Search Trigger, which needs no calls from outside.`,
		connection.errorSource,
	);
}
