import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import type { z } from 'zod';
import type { Reader } from '../runtime/operation';
import { settle } from '../runtime/outcome';
import { Memory } from '../runtime/memory';
import { isRecord, memberOf } from '../runtime/record';
import { asRecord, label } from '../runtime/results';
import { isGenuine } from '../runtime/signature';
import { monitorPath } from '../WebData/fields/monitor/monitorId';
import { readCheck } from '../WebData/resources/monitor/check';
import { eventOf, isMeaningful } from './events';
import { open } from './line';
import { isMarked } from './registration';
import { triggerContract } from './settings';

type TriggerSettings = z.output<typeof triggerContract>;

/** How many deliveries are remembered, so that a repeated one starts nothing: the service repeats within half an hour (addendum 11). */
const deliveriesRemembered = 5_000;

/**
 * The ids that this process has lately received, by the address called. Calls that overlap each have a
 * copy of n8n's static data of their own, and the last to end would forget the others.
 */
const received = new Map<string, Set<string>>();
const latelyReceived = 1_000;

/** Answers the call; no workflow starts. */
function answer(context: IWebhookFunctions, status: number): IWebhookResponseData {
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}

/** An event as it was delivered (addendum 11). */
export interface Delivery {
	type: string;
	webhookId: string;
	entries: IDataObject[];
	/** What it says beside its data. */
	about: IDataObject;
}

function deliveryIn(body: unknown): Delivery | undefined {
	if (!isRecord(body)) return undefined;
	const { type, webhookId, data, ...about } = body;
	if (typeof type !== 'string' || typeof webhookId !== 'string') return undefined;
	const list = Array.isArray(data) ? data : [data ?? {}];
	// A job's start and end have no data of their own, and are events all the same.
	const entries = list.length === 0 ? [{}] : list.map(asRecord);
	return { type, webhookId, entries, about: { type, webhookId, ...asRecord(about) } };
}

function receivedAt(address = ''): Set<string> {
	const lately = received.get(address) ?? new Set();
	received.set(address, lately);
	return lately;
}

/** Notes a delivery; says whether it came for the first time. */
function isNew(webhookId: string, lately: Set<string>, stored: IDataObject): boolean {
	const isKnown = new Memory(stored.deliveries, deliveriesRemembered).judge(webhookId) === 'known';
	if (isKnown || lately.has(webhookId)) return false;
	lately.add(webhookId);
	for (const oldest of lately) if (lately.size > latelyReceived) lately.delete(oldest);
	keep(lately, stored);
	return true;
}

/** Puts what was received into the static data that n8n saves when the call ends. */
function keep(lately: Set<string>, stored: IDataObject): void {
	const memory = new Memory(stored.deliveries, deliveriesRemembered);
	for (const webhookId of lately) memory.remember(webhookId);
	stored.deliveries = memory.toString();
}

/** Whether a page event is wanted: what the judge calls meaningless is no change that matters, and a change that nobody judged is none either. */
function matters(event: string, entry: IDataObject): boolean {
	if (event === 'changed') return isMeaningful(entry);
	const judged = entry.isMeaningful ?? memberOf(entry.judgment, 'meaningful');
	return judged !== false || !['new', 'removed'].includes(event);
}

/** The entries of a delivery that start the workflow. What a monitor sends here by hand is not this trigger's. */
export function wantedEntries(
	{ type, entries, about }: Delivery,
	{ source, events = [], jobEvents, onlyMeaningful }: TriggerSettings,
	monitorId: unknown,
): IDataObject[] {
	const isMonitor = type.startsWith('monitor.');
	if (isMonitor !== (source !== 'jobs')) return [];
	return entries.filter((entry) => {
		const event = eventOf(type, entry);
		if (!isMonitor) return jobEvents === undefined || jobEvents.includes(event);
		const isOthers =
			monitorId !== undefined && entry.monitorId !== undefined && entry.monitorId !== monitorId;
		if (isOthers && !isMarked(about.metadata)) return false;
		return events.includes(event) && (!onlyMeaningful || matters(event, entry));
	});
}

/** A completed check with its pages; as it is, with the reason, when they cannot be read. */
async function withPages(entry: IDataObject, call: Reader): Promise<IDataObject> {
	const { monitorId, checkId } = entry;
	const path = `${monitorPath(String(monitorId))}/checks/${encodeURIComponent(String(checkId))}`;
	const request = { method: 'GET', path, query: { limit: 100 }, cost: 'read' } as const;
	const read = await settle(readCheck(request, Infinity, call));
	return 'value' in read
		? { ...entry, pages: read.value.pages.map(asRecord) }
		: { ...entry, pagesError: read.error.message };
}

/**
 * Takes a call of the service: one that is not signed as it should be is answered 401, one that makes
 * no sense 400, and everything else 200 at once; what is wanted and new starts the workflow.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const line = await open(context);
	if (!isGenuine(context.getRequestObject(), line.webhookSecret)) return answer(context, 401);
	const delivery = deliveryIn(context.getBodyData());
	if (!delivery) return answer(context, 400);
	const parameter = (name: string) => context.getNodeParameter(name, null);
	const settings = triggerContract.parse({
		source: parameter('source'),
		events: parameter('events'),
		jobEvents: parameter('jobEvents'),
		onlyMeaningful: parameter('onlyMeaningful'),
		addPages: parameter('addPages'),
	});
	const stored = context.getWorkflowStaticData('node');
	const entries = wantedEntries(delivery, settings, memberOf(stored.registration, 'monitorId'));
	const lately = receivedAt(context.getNodeWebhookUrl('default'));
	if (entries.length === 0 || !isNew(delivery.webhookId, lately, stored)) {
		return answer(context, 200);
	}

	const event = { ...delivery.about, verified: line.webhookSecret !== '' };
	const itemsOf = (found: IDataObject[]): INodeExecutionData[] =>
		found.map((entry) => ({ json: label(entry, { event }) }));
	if (!settings.addPages || delivery.type !== 'monitor.check.completed') {
		return { workflowData: [itemsOf(entries)] };
	}
	// The service waits 10 seconds at most, and reading the pages may take longer.
	context.getResponseObject().status(200).end();
	const complete = await Promise.all(entries.map(async (entry) => await withPages(entry, line)));
	// Others have come meanwhile, and n8n now saves what this call knows.
	keep(lately, stored);
	return { workflowData: [itemsOf(complete)], noWebhookResponse: true };
}
