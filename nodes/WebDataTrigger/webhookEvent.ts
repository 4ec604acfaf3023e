import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { triggerParameters } from '../runtime/execution/parameters';
import { credentialType } from '../runtime/http/client';
import { connect, type Connection } from '../runtime/http/connection';
import type { Sender } from '../runtime/http/paging';
import { asRecord, label, without } from '../runtime/execution/results';
import { monotonicNow } from '../runtime/values/time';
import { fieldOf, isRecord } from '../runtime/values/record';
import { SeenSet } from '../runtime/values/seenSet';
import { attempt, settle } from '../runtime/values/outcome';
import { hasToken, isId, parseWebhook, type WebhookEvent } from './webhookRequest';
import { matters } from '../WebData/fields/monitor';
import { monitorEndpoints, readCheck } from '../WebData/resources/monitor';
import { hasOwnMetadata, open, tokenOf, triggerKey } from './registration';
import { eventOf, eventParameters, readSettings, type TriggerSettings } from './settings';

/** Milliseconds for which webhook requests of a trigger share a credential. */
const sharedMilliseconds = 10_000;

/** Connections for webhook requests, by trigger. */
const shared = new Map<string, { connection: Promise<Connection>; until: number }>();

/** Connects once for requests in quick succession: outside an execution, reading a credential takes n8n 150 ms of CPU. */
async function connectForWebhook(context: IWebhookFunctions): Promise<Connection> {
	const now = monotonicNow();
	for (const [key, { until }] of shared) if (until <= now) shared.delete(key);
	const { id, credentials } = context.getNode();
	const key = [context.getWorkflow().id, id, credentials?.[credentialType]?.id].join(' ');
	const known = shared.get(key) ?? {
		connection: connect(context),
		until: now + sharedMilliseconds,
	};
	shared.set(key, known);
	const read = await settle(known.connection);
	if (!read.ok) shared.delete(key);
	return await known.connection;
}

/** Most stored events, to ignore repeats: the service sends again within half an hour. */
const mostStored = 5_000;
const mostRecent = 1_000;

/** The recent events of each trigger: concurrent webhook requests have separate copies of n8n's static data. */
const recentByTrigger = new Map<string, SeenSet>();

function recentOf(trigger: string): SeenSet {
	const memory = recentByTrigger.get(trigger) ?? new SeenSet(undefined, mostRecent);
	recentByTrigger.set(trigger, memory);
	return memory;
}

/** Merges a trigger's recent events into the static data, which n8n saves after the request. */
function saveReceived(trigger: string, staticData: IDataObject): void {
	const memory = new SeenSet(staticData.webhookIds, mostStored);
	memory.addAll(recentOf(trigger));
	staticData.webhookIds = memory.toString();
}

/** Records an event by its key; returns whether it is new. */
export function isFirstAttempt(key: string, trigger: string, staticData: IDataObject): boolean {
	const recent = recentOf(trigger);
	if (recent.has(key) || new SeenSet(staticData.webhookIds, mostStored).has(key)) return false;
	recent.add(key);
	saveReceived(trigger, staticData);
	return true;
}

/** The page of an entry, or the whole entry of another event. */
function pageOf(entry: IDataObject): string {
	const page =
		fieldOf(entry.metadata, 'scrapeId') ?? fieldOf(entry.metadata, 'sourceURL') ?? entry.url;
	return typeof page === 'string' ? page : JSON.stringify(entry);
}

/** The key of an event: the same for every attempt to send it. Servers of 2025 send no `webhookId`. */
const keyOf = ({ webhookId, type, id, entries }: WebhookEvent): string | undefined =>
	webhookId ?? (id === undefined ? undefined : [type, id, ...entries.map(pageOf)].join(' '));

/** Selects the entries that start the workflow; while the editor waits (`isTest`), any with the metadata of this `trigger`. */
export function wantedEntries(
	{ type, entries, envelope }: WebhookEvent,
	{ source, events = [], webhookEvents, onlyMeaningful }: TriggerSettings,
	trigger: string,
	isTest = false,
): IDataObject[] {
	if (source === 'webhookEvents') {
		return webhookEvents === undefined
			? entries
			: entries.filter((entry) => webhookEvents.includes(eventOf(type, entry)));
	}
	if (!type.startsWith('monitor.') || !hasOwnMetadata(envelope.metadata, trigger)) return [];
	return entries.filter((entry) => {
		if (!isId(entry.monitorId)) return false;
		if (isTest) return true;
		const event = eventOf(type, entry);
		return events.includes(event) && (!onlyMeaningful || matters(event, entry));
	});
}

/** Most checks of an event whose pages are fetched; the service sends one. */
const mostChecks = 10;

/** Adds the pages of a completed check, or the reason why they cannot be fetched. */
async function withPages(entry: IDataObject, sender: Sender): Promise<IDataObject> {
	const { monitorId, checkId } = entry;
	if (!isId(monitorId) || !isId(checkId))
		return { ...entry, pagesError: 'Not fetched: the event has no check ID' };
	const ids = { id: monitorId, checkId };
	const request = { endpoint: monitorEndpoints.getCheck, ids, query: { limit: 100 } };
	const read = await settle(readCheck(request, Infinity, sender));
	return read.ok
		? { ...entry, pages: read.value.pages.map(asRecord) }
		: { ...entry, pagesError: read.error.message };
}

/** Adds the pages of the first checks of an event. */
async function withAllPages(entries: IDataObject[], sender: Sender): Promise<IDataObject[]> {
	const complete: IDataObject[] = [];
	for (const entry of entries.slice(0, mostChecks)) complete.push(await withPages(entry, sender));
	const pagesError = `Not fetched: only the pages of the first ${mostChecks} checks of an event are fetched`;
	return [...complete, ...entries.slice(mostChecks).map((entry) => ({ ...entry, pagesError }))];
}

/** Most characters of an event's own fields in all of its items; above it, only the first has all. */
const mostRepeated = 5_000_000;

/** One item per entry, each with the event. */
function itemsOf(entries: IDataObject[], event: WebhookEvent): INodeExecutionData[] {
	const whole: IDataObject = { ...event.envelope, verified: event.isVerified };
	const { type, id, webhookId, verified } = whole;
	const isSmall = JSON.stringify(whole).length * entries.length <= mostRepeated;
	const brief = isSmall ? whole : { type, id, webhookId, verified };
	return entries.map((entry, place) => ({
		json: label(entry, { event: place === 0 ? whole : brief }),
	}));
}

/** Responds to a webhook request, unless that was done before. Starts nothing by itself. */
function respond(context: IWebhookFunctions, status: number): IWebhookResponseData {
	const response = context.getResponseObject();
	if (!response.headersSent) response.status(status).end();
	return { noWebhookResponse: true };
}

/** The last logged error of each trigger's parameters, which every event would repeat. */
const logged = new Map<string, string>();

async function handleEvent(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const values = attempt(() => triggerParameters(context, eventParameters));
	const connection = await open(context, connectForWebhook(context));
	const rejectUnsigned = !values.ok || values.value.requireSignature !== false;
	const isOfJobs = values.ok && values.value.source === 'webhookEvents';
	const result = parseWebhook(context.getRequestObject(), {
		secret: connection.webhookSecret,
		rejectUnsigned,
		needsSecret: rejectUnsigned && isOfJobs,
	});
	if ('status' in result) return respond(context, result.status);
	const staticData = context.getWorkflowStaticData('node');
	const token = tokenOf(staticData);
	const { isVerified, envelope } = result.event;
	const { metadata } = envelope;
	const isProven = token === undefined ? isVerified : hasToken(metadata, token);
	// Signed events of other monitors of the account are no mistake of theirs.
	if (!isOfJobs && !isProven) return respond(context, isVerified ? 200 : 401);
	// The token is a secret.
	const shown = isRecord(metadata) && { metadata: without(asRecord(metadata), 'token') };
	const event = { ...result.event, envelope: { ...envelope, ...shown } };
	const key = keyOf(event);
	if (key === undefined) return respond(context, 400);

	// The service waits 10 seconds; n8n would respond only after it has stored an execution.
	const response = respond(context, 200);
	const trigger = triggerKey(context);
	const settings = attempt(() => {
		if (!values.ok) throw values.error;
		return readSettings(values.value, connection.errorSource);
	});
	if (!settings.ok) {
		// The event would not be accepted later either, and thrown, n8n would run the workflow with
		// an empty item.
		const { message } = settings.error;
		const where = `'${context.getNode().name}' in workflow ${context.getWorkflow().id}`;
		if (logged.get(trigger) !== message)
			context.logger.error(`Webhook events of ${where} are ignored: ${message}`);
		logged.set(trigger, message);
		return response;
	}
	logged.delete(trigger);
	const entries = wantedEntries(event, settings.value, trigger, context.getMode() === 'manual');
	if (entries.length === 0 || !isFirstAttempt(key, trigger, staticData)) return response;
	if (!settings.value.includePages || event.type !== 'monitor.check.completed') {
		return { ...response, workflowData: [itemsOf(entries, event)] };
	}
	const complete = await withAllPages(entries, connection);
	// Includes the events that came meanwhile, since n8n now saves this copy.
	saveReceived(trigger, staticData);
	return { ...response, workflowData: [itemsOf(complete, event)] };
}

/**
 * Handles a webhook request. Responds at once: an error status if it is invalid, otherwise 200, and
 * starts the workflow if its event is selected and new. If the credential cannot be used, responds
 * with 503, so that the service sends the event again.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const outcome = await settle(handleEvent(context));
	if (outcome.ok) return outcome.value;
	context.logger.warn(
		`A webhook event of '${context.getNode().name}' was not accepted: ${outcome.error.message}`,
	);
	return respond(context, 503);
}
