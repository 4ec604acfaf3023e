import type { IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isUnset } from '../runtime/form/schema';
import { operationError } from '../runtime/api/errors';
import { fingerprint } from '../runtime/values/seenSet';
import { settle } from '../runtime/values/settle';
import { parseUrl } from '../runtime/values/parseUrl';
import { isRecord, fieldOf, type JsonRecord } from '../runtime/values/record';
import { withoutMarkup } from '../runtime/values/withoutMarkup';
import {
	pointsToThisTrigger,
	settingsOf,
	wantedMonitor,
	webhookOf,
	type TriggerLifecycle,
} from './hook';
import { registrationMark, type RegistrationKind } from './mark';
import { changeMonitor, createMonitor, findMonitor, listMonitors, removeMonitor } from './monitors';

/** What the trigger keeps of its registration, in n8n's static data. */
export interface Registration {
	kind: RegistrationKind;
	monitorId: string;
	/** Fingerprint of what was asked for. */
	asked: string;
	/** The webhook that an attached monitor had before; null when it had none. */
	previous?: IDataObject | null;
}

/** Whether n8n's static data holds a registration. */
export const isRegistration = (value: unknown): value is Registration =>
	isRecord(value) && typeof value.monitorId === 'string';

/** What stands for a request where it is only to be told from another. */
export const askedFor = (request: IDataObject) => fingerprint(JSON.stringify(request), 22);

/** The monitors that this trigger made, whatever became of what it remembers of them. */
async function ownMonitors(hook: TriggerLifecycle): Promise<IDataObject[]> {
	const monitors = await listMonitors(hook.connection);
	return monitors.filter(
		(monitor) =>
			pointsToThisTrigger(hook, monitor) &&
			fieldOf(fieldOf(monitor.webhook, 'metadata'), 'registration') === registrationMark.own,
	);
}

/** Removes the monitors that this trigger made. */
export async function removeOwn(hook: TriggerLifecycle): Promise<void> {
	for (const { id } of await ownMonitors(hook)) await removeMonitor(hook.connection, String(id));
}

/** Changes that nobody judges would never start the workflow. */
function refuseUnjudged(hook: TriggerLifecycle, { goal, judgeEnabled }: IDataObject): void {
	const isJudged = typeof goal === 'string' && judgeEnabled !== false;
	if (isJudged || !settingsOf(hook).onlyMeaningful) return;
	throw operationError(
		`'Only Meaningful Changes' needs a goal by which changes are judged`,
		`Nothing was registered. Give the monitor a goal and have its changes judged, or turn 'Only Meaningful Changes' off.`,
		hook.connection.errorSource,
	);
}

/** What a monitor has whose creation does not say otherwise (https://docs.firecrawl.dev/features/monitoring). */
const defaults = { goal: null, notification: {}, retentionDays: 30 };

/** Makes the monitor, or takes over the one that an earlier, interrupted activation made. */
export async function register(hook: TriggerLifecycle): Promise<Registration> {
	const wanted = wantedMonitor(hook);
	refuseUnjudged(hook, wanted);
	const takeOver = async ([kept, ...spare]: IDataObject[]): Promise<Registration> => {
		const monitorId = String(kept.id);
		await changeMonitor(hook.connection, monitorId, { ...defaults, ...wanted, status: 'active' });
		for (const { id } of spare) await removeMonitor(hook.connection, String(id));
		return { kind: 'own', monitorId, asked: askedFor(wanted) };
	};
	const there = await ownMonitors(hook);
	if (there.length > 0) return await takeOver(there);
	const made = await settle(createMonitor(hook.connection, wanted));
	if (made.ok) return { kind: 'own', monitorId: made.value, asked: askedFor(wanted) };
	// The answer was lost on the way, but the monitor may be there.
	const after = await settle(ownMonitors(hook));
	if (after.ok && after.value.length > 0) return await takeOver(after.value);
	throw made.error;
}

/** The error of a change of which nothing is known: what the user needs to put things right. */
function uncertain(error: Error, previous: unknown): Error {
	const former = fieldOf(previous, 'url');
	const isNodeError = error instanceof NodeApiError || error instanceof NodeOperationError;
	if (!isNodeError || typeof former !== 'string') return error;
	const words = `Its webhook may have been replaced all the same; before, it called ${former}.`;
	error.description = withoutMarkup([error.description, words].filter(Boolean).join(' '));
	return error;
}

/** What is kept of a former webhook. n8n's static data is no safe: all that may read the workflow may read it. */
const keptMembers = ['url', 'events', 'metadata'];

/** Whether a webhook has what may be secret: headers, a password in its address, or what this version does not know. */
function mayHoldSecrets(webhook: JsonRecord): boolean {
	const url = parseUrl(String(webhook.url));
	const others = Object.entries(webhook).filter(([name]) => !keptMembers.includes(name));
	return (
		others.some(([, value]) => !isUnset(value)) || Boolean(url?.username) || Boolean(url?.password)
	);
}

/** Has the calls of an existing monitor sent here. */
export async function attach(hook: TriggerLifecycle): Promise<Registration> {
	const { connection, stored } = hook;
	const { monitorId, events, replaceWebhook } = settingsOf(hook);
	if (monitorId === undefined) {
		throw operationError(
			`'Monitor' is required`,
			'Pick one from the list, or enter its ID. Nothing was sent.',
			connection.errorSource,
		);
	}
	const monitor = await findMonitor(hook.connection, monitorId);
	if (!monitor) {
		throw operationError(
			`There is no monitor ${monitorId}`,
			'Pick one from the list; it may have been deleted.',
			connection.errorSource,
		);
	}
	refuseUnjudged(hook, monitor);
	const isOurs = pointsToThisTrigger(hook, monitor);
	if (isRecord(monitor.webhook) && !isOurs && !replaceWebhook) {
		throw operationError(
			`The monitor '${String(monitor.name)}' calls another address already`,
			`Turn on 'Replace Webhook' to take its place while the workflow is active, or let this node make a monitor of its own.`,
			connection.errorSource,
		);
	}
	if (isRecord(monitor.webhook) && !isOurs && mayHoldSecrets(monitor.webhook)) {
		throw operationError(
			`The webhook of the monitor '${String(monitor.name)}' may hold secrets and is not replaced`,
			`It has headers, or a password in its address. To put them back later, n8n would have to store them where others can read them. Give the monitor a webhook without them, or let this node make a monitor of its own.`,
			connection.errorSource,
		);
	}
	const before = isRegistration(stored.registration) ? stored.registration.previous : undefined;
	const previous = isOurs ? before : (monitor.webhook ?? null);
	const webhook = webhookOf(hook, 'attached', events);
	const changed = await settle(changeMonitor(hook.connection, monitorId, { webhook }));
	if (!changed.ok) {
		// The answer may have been lost on the way: then the webhook of before must be remembered.
		const found = isOurs ? undefined : await settle(findMonitor(hook.connection, monitorId));
		const now = found?.ok ? found.value : undefined;
		if (isOurs || (now && !pointsToThisTrigger(hook, now))) throw changed.error;
		if (!now) throw uncertain(changed.error, previous);
	}
	return {
		kind: 'attached',
		monitorId,
		asked: askedFor({ monitorId, webhook }),
		previous: isRecord(previous) ? (previous as IDataObject) : null,
	};
}

/** What an administrator is told of a monitor that had no webhook before: the service takes none off (docs/api-notes.md, Requests). */
const remainingWebhook = (monitor: IDataObject, address: string): string =>
	`The monitor '${String(monitor.name)}' goes on calling ${address}, where nobody listens now: the service takes no webhook off a monitor. Give it another address, or make a new monitor`;

/** Gives a monitor its former webhook back, unless it calls somebody else by now. Resolves with whether there is such a monitor. */
export async function detach(
	hook: TriggerLifecycle,
	id: string,
	previous: IDataObject | null,
): Promise<boolean> {
	const monitor = await findMonitor(hook.connection, id);
	if (!monitor || !pointsToThisTrigger(hook, monitor)) return monitor !== undefined;
	if (previous) await changeMonitor(hook.connection, id, { webhook: previous });
	else hook.context.logger.warn(remainingWebhook(monitor, hook.address));
	return true;
}
