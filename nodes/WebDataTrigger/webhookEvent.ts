import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import type { z } from 'zod/v3';
import { triggerParameters } from '../runtime/execution/parameters';
import type { Sender } from '../runtime/http/paging';
import { mapConcurrent, settle } from '../runtime/values/settle';
import { isId, parseWebhook, type WebhookEvent } from '../runtime/webhooks/parseWebhook';
import { fieldOf } from '../runtime/values/record';
import { repeatedOnce } from '../runtime/output/repeated';
import { asRecord, label } from '../runtime/output/results';
import { respond } from '../runtime/webhooks/respond';
import { matters } from '../WebData/fields/monitor';
import { monitorEndpoints, readCheck } from '../WebData/resources/monitor';
import { eventOf } from './events';
import { connectForWebhook, open } from './connection';
import { hasOwnershipMetadata, triggerKey } from './ownership';
import { isFirstAttempt, saveReceived } from './received';
import { eventParameters, triggerSchema } from './settings';

type TriggerSettings = z.output<typeof triggerSchema>;

/** Most checks of an event whose pages are fetched, and how many at once; the service sends one. */
const mostChecks = 10;
const checksAtOnce = 2;

/** The identity of a monitor's trigger in its events. */
export interface Expected {
	/** The trigger's key in its webhook's metadata. */
	trigger: string;
	/** ID of the registered monitor, if known. */
	monitorId?: unknown;
}

/**
 * Selects the entries of an event that start the workflow. Those of its own monitor must have this trigger's
 * metadata. Without a signature anybody can send that, so they must also have the registered
 * monitor's ID.
 */
export function wantedEntries(
	{ type, entries, envelope, isVerified }: WebhookEvent,
	{ source, events = [], webhookEvents, onlyMeaningful }: TriggerSettings,
	{ trigger, monitorId }: Expected,
): IDataObject[] {
	if (source === 'webhookEvents') {
		return webhookEvents === undefined
			? entries
			: entries.filter((entry) => webhookEvents.includes(eventOf(type, entry)));
	}
	if (!type.startsWith('monitor.') || !hasOwnershipMetadata(envelope.metadata, trigger)) return [];
	const anyMonitor = isVerified || monitorId === undefined;
	return entries.filter((entry) => {
		if (!isId(entry.monitorId) || !(anyMonitor || entry.monitorId === monitorId)) return false;
		const event = eventOf(type, entry);
		return events.includes(event) && (!onlyMeaningful || matters(event, entry));
	});
}

/** Adds the pages of a completed check, or the reason why they cannot be fetched. */
async function withPages(entry: IDataObject, sender: Sender): Promise<IDataObject> {
	const { monitorId, checkId } = entry;
	if (!isId(monitorId) || !isId(checkId)) {
		return { ...entry, pagesError: 'Not fetched: the event has no check ID' };
	}
	const ids = { id: monitorId, checkId };
	const request = { endpoint: monitorEndpoints.getCheck, ids, query: { limit: 100 } };
	const read = await settle(readCheck(request, Infinity, sender));
	return read.ok
		? { ...entry, pages: read.value.pages.map(asRecord) }
		: { ...entry, pagesError: read.error.message };
}

/** Adds the pages of the first checks of an event. */
async function withAllPages(entries: IDataObject[], sender: Sender): Promise<IDataObject[]> {
	const complete = await mapConcurrent(
		entries.slice(0, mostChecks),
		() => checksAtOnce,
		async (entry) => await withPages(entry, sender),
		() => false,
	);
	const pagesError = `Not fetched: only the pages of the first ${mostChecks} checks of an event are fetched`;
	return entries.map((entry, place) => complete[place] ?? { ...entry, pagesError });
}

async function handleEvent(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const values = triggerParameters(context, eventParameters);
	const connection = await open(context, connectForWebhook(context));
	const result = parseWebhook(context.getRequestObject(), {
		secret: connection.webhookSecret,
		rejectUnsigned: values.requireSignature !== false,
	});
	if ('status' in result) return respond(context, result.status);
	const { event } = result;
	const { webhookId } = event;
	if (webhookId === undefined) return respond(context, 400);
	const settings = triggerSchema.parse(values);

	// The service waits 10 seconds; n8n would respond only after it has stored an execution.
	const response = respond(context, 200);
	const staticData = context.getWorkflowStaticData('node');
	const trigger = triggerKey(context);
	const monitorId = fieldOf(staticData.registration, 'monitorId');
	const entries = wantedEntries(event, settings, { trigger, monitorId });
	if (entries.length === 0 || !isFirstAttempt(webhookId, trigger, staticData)) return response;

	const about = { ...event.envelope, verified: event.isVerified };
	const itemsOf = (found: IDataObject[]): INodeExecutionData[] =>
		repeatedOnce(
			found.map((entry) => ({ json: label(entry, { event: about }) })),
			() => undefined,
		).map(({ json }) => ({ json }));
	if (!settings.includePages || event.type !== 'monitor.check.completed') {
		return { ...response, workflowData: [itemsOf(entries)] };
	}
	const complete = await withAllPages(entries, connection);
	// Includes the IDs of events that came meanwhile, since n8n now saves this copy.
	saveReceived(trigger, staticData);
	return { ...response, workflowData: [itemsOf(complete)] };
}

/**
 * Handles a webhook request. Responds at once: an error status if it is invalid, otherwise 200, and
 * starts the workflow if its event is selected and new. Errors of the node return 503, so that the
 * service sends the event again: n8n would turn a thrown error into an execution with an empty
 * item.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const outcome = await settle(handleEvent(context));
	if (outcome.ok) return outcome.value;
	context.logger.warn(
		`A call of '${context.getNode().name}' was not taken: ${outcome.error.message}`,
	);
	return respond(context, 503);
}
