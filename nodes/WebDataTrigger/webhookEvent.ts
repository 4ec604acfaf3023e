import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import type { z } from 'zod/v3';
import { triggerParameters } from '../runtime/execution/parameters';
import type { Reader } from '../runtime/operation/operation';
import { mapConcurrent, settle } from '../runtime/values/settle';
import { isId, parseWebhook, type WebhookEvent } from '../runtime/webhooks/parseWebhook';
import { fieldOf } from '../runtime/values/record';
import { repeatedOnce } from '../runtime/output/repeated';
import { asRecord, label } from '../runtime/output/results';
import { respond } from '../runtime/webhooks/respond';
import { monitorEndpoints } from '../WebData/fields/monitor/endpoints';
import { readCheck } from '../WebData/resources/monitor/check';
import { eventOf, isMeaningful } from './events';
import { connectForCall, open } from './connection';
import { isMarked, triggerKey } from './mark';
import { isFirst, keepReceived } from './received';
import { triggerSchema } from './settings';

type TriggerSettings = z.output<typeof triggerSchema>;

/** Checks of one delivery whose pages are read, and how many at once; the service tells of one. */
const mostChecks = 10;
const checksAtOnce = 2;

/** Whether a page event is wanted: what the judge calls meaningless is no change that matters, and a change that nobody judged is none either. */
function matters(event: string, entry: IDataObject): boolean {
	if (event === 'changed') return isMeaningful(entry);
	const judged = entry.isMeaningful ?? fieldOf(entry.judgment, 'meaningful');
	return judged !== false || !['new', 'removed'].includes(event);
}

/** What a trigger of a monitor expects in its deliveries. */
export interface Expected {
	/** The key of this trigger in the metadata of the webhook that it set. */
	trigger: string;
	/** The monitor that is registered, where it is known. */
	monitorId?: unknown;
}

/**
 * The entries of a delivery that start the workflow. Those of a monitor must be marked as this trigger's.
 * A mark that is not signed can be anybody's, so then the monitor must be the registered one, too.
 */
export function wantedEntries(
	{ type, entries, about, isVerified }: WebhookEvent,
	{ source, events = [], jobEvents, onlyMeaningful }: TriggerSettings,
	{ trigger, monitorId }: Expected,
): IDataObject[] {
	const isMonitor = type.startsWith('monitor.');
	if (isMonitor !== (source !== 'jobs')) return [];
	if (!isMonitor) {
		return jobEvents === undefined || jobEvents.includes(eventOf(type)) ? entries : [];
	}
	if (!isMarked(about.metadata, trigger)) return [];
	const anyMonitor = isVerified || monitorId === undefined;
	return entries.filter((entry) => {
		if (!isId(entry.monitorId) || !(anyMonitor || entry.monitorId === monitorId)) return false;
		const event = eventOf(type, entry);
		return events.includes(event) && (!onlyMeaningful || matters(event, entry));
	});
}

/** A completed check with its pages; as it is, with the reason, when they cannot be read. */
async function withPages(entry: IDataObject, call: Reader): Promise<IDataObject> {
	const { monitorId, checkId } = entry;
	if (!isId(monitorId) || !isId(checkId)) {
		return { ...entry, pagesError: 'Not read: the call names no check' };
	}
	const ids = { id: monitorId, checkId };
	const request = { endpoint: monitorEndpoints.getCheck, ids, query: { limit: 100 } };
	const read = await settle(readCheck(request, Infinity, call));
	return read.ok
		? { ...entry, pages: read.value.pages.map(asRecord) }
		: { ...entry, pagesError: read.error.message };
}

/** The first checks of a delivery with their pages. */
async function withAllPages(entries: IDataObject[], call: Reader): Promise<IDataObject[]> {
	const complete = await mapConcurrent(
		entries.slice(0, mostChecks),
		() => checksAtOnce,
		async (entry) => await withPages(entry, call),
		() => false,
	);
	const pagesError = `Not read: of one call, the pages of ${mostChecks} checks are read`;
	return entries.map((entry, place) => complete[place] ?? { ...entry, pagesError });
}

/** What decides what becomes of a delivery. To read a parameter takes time outside an execution. */
const parameters = [
	'source',
	'events',
	'jobEvents',
	'onlyMeaningful',
	'addPages',
	'refuseUnsignedCalls',
];

async function take(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const values = triggerParameters(context, parameters);
	const connection = await open(context, connectForCall(context));
	const result = parseWebhook(context.getRequestObject(), {
		secret: connection.webhookSecret,
		refuseUnsigned: values.refuseUnsignedCalls !== false,
	});
	if ('status' in result) return respond(context, result.status);
	const { delivery } = result;
	const { webhookId } = delivery;
	if (webhookId === undefined) return respond(context, 400);
	const settings = triggerSchema.parse(values);

	// The service waits 10 seconds at most; n8n would answer only after it has stored an execution.
	const answered = respond(context, 200);
	const stored = context.getWorkflowStaticData('node');
	const trigger = triggerKey(context);
	const monitorId = fieldOf(stored.registration, 'monitorId');
	const entries = wantedEntries(delivery, settings, { trigger, monitorId });
	if (entries.length === 0 || !isFirst(webhookId, trigger, stored)) return answered;

	const event = { ...delivery.about, verified: delivery.isVerified };
	const itemsOf = (found: IDataObject[]): INodeExecutionData[] =>
		repeatedOnce(
			found.map((entry) => ({ json: label(entry, { event }) })),
			() => undefined,
		).map(({ json }) => ({ json }));
	if (!settings.addPages || delivery.type !== 'monitor.check.completed') {
		return { ...answered, workflowData: [itemsOf(entries)] };
	}
	const complete = await withAllPages(entries, connection);
	// Others have come meanwhile, and n8n now saves what this call knows.
	keepReceived(trigger, stored);
	return { ...answered, workflowData: [itemsOf(complete)] };
}

/**
 * Takes a call of the service: one that `readDelivery` refuses is answered with its status, everything
 * else 200 at once; what is wanted and new starts the workflow. While the node itself is at fault, the
 * answer is 503, whereupon the service calls again: what is thrown here, n8n turns into an execution
 * with an empty item.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const taken = await settle(take(context));
	if (taken.ok) return taken.value;
	context.logger.warn(
		`A call of '${context.getNode().name}' was not taken: ${taken.error.message}`,
	);
	return respond(context, 503);
}
