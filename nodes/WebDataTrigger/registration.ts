import type { IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isUnset } from '../runtime/form/schema';
import { operationError } from '../runtime/api/errors';
import { fingerprint } from '../runtime/values/seenSet';
import { settle } from '../runtime/values/settle';
import { parseUrl } from '../runtime/values/parseUrl';
import { isRecord, fieldOf, type JsonRecord } from '../runtime/values/record';
import { withoutMarkup } from '../runtime/values/text';
import {
	pointsToThisTrigger,
	settingsOf,
	wantedMonitor,
	webhookOf,
	type TriggerLifecycle,
} from './triggerLifecycle';
import { registrationLabel, type RegistrationKind } from './ownership';
import { changeMonitor, createMonitor, findMonitor, listMonitors, removeMonitor } from './monitors';
import { forUser } from '../runtime/api/sentence';

/** A registration in n8n's static data. */
export interface Registration {
	kind: RegistrationKind;
	monitorId: string;
	/** Hash of the registered settings. */
	requestHash: string;
	/** The previous webhook of an attached monitor; null if it had none. */
	previous?: IDataObject | null;
}

/** Whether n8n's static data has a registration. */
export const isRegistration = (value: unknown): value is Registration =>
	isRecord(value) && typeof value.monitorId === 'string';

/** Hashes a request for comparison. */
export const requestHash = (request: IDataObject) => fingerprint(JSON.stringify(request), 22);

/** Lists the monitors that this trigger created, independent of its static data. */
async function ownMonitors(lifecycle: TriggerLifecycle): Promise<IDataObject[]> {
	const monitors = await listMonitors(lifecycle.connection);
	return monitors.filter(
		(monitor) =>
			pointsToThisTrigger(lifecycle, monitor) &&
			fieldOf(fieldOf(monitor.webhook, 'metadata'), 'registration') === registrationLabel.own,
	);
}

/** Removes the monitors that this trigger created. */
export async function removeOwn(lifecycle: TriggerLifecycle): Promise<void> {
	for (const { id } of await ownMonitors(lifecycle))
		await removeMonitor(lifecycle.connection, String(id));
}

/** Rejects 'Only Meaningful Changes' without a judge, which would never start the workflow. */
function rejectUnjudged(lifecycle: TriggerLifecycle, { goal, judgeEnabled }: IDataObject): void {
	const isJudged = typeof goal === 'string' && judgeEnabled !== false;
	if (isJudged || !settingsOf(lifecycle).onlyMeaningful) return;
	throw operationError(
		`'Only Meaningful Changes' requires a goal to judge changes by`,
		[
			forUser(
				`Nothing was registered. Set a goal and 'Judge Changes' of the monitor, or turn 'Only Meaningful Changes' off.`,
			),
		],
		lifecycle.connection.errorSource,
	);
}

/** Defaults of a new monitor (https://docs.firecrawl.dev/features/monitoring). */
const defaults = { goal: null, notification: {}, retentionDays: 30 };

/** Creates the monitor, or adopts that of an earlier, interrupted activation. */
export async function register(lifecycle: TriggerLifecycle): Promise<Registration> {
	const wanted = wantedMonitor(lifecycle);
	rejectUnjudged(lifecycle, wanted);
	const adopt = async ([adopted, ...spare]: IDataObject[]): Promise<Registration> => {
		const monitorId = String(adopted.id);
		await changeMonitor(lifecycle.connection, monitorId, {
			...defaults,
			...wanted,
			status: 'active',
		});
		for (const { id } of spare) await removeMonitor(lifecycle.connection, String(id));
		return { kind: 'own', monitorId, requestHash: requestHash(wanted) };
	};
	const there = await ownMonitors(lifecycle);
	if (there.length > 0) return await adopt(there);
	const made = await settle(createMonitor(lifecycle.connection, wanted));
	if (made.ok) return { kind: 'own', monitorId: made.value, requestHash: requestHash(wanted) };
	// The response was lost, but the monitor may exist.
	const after = await settle(ownMonitors(lifecycle));
	if (after.ok && after.value.length > 0) return await adopt(after.value);
	throw made.error;
}

/**
 * Adds the previous webhook to the error of an update with unknown outcome, so that the user can
 * restore it.
 */
function uncertain(error: Error, previous: unknown): Error {
	const former = fieldOf(previous, 'url');
	const isNodeError = error instanceof NodeApiError || error instanceof NodeOperationError;
	if (!isNodeError || typeof former !== 'string') return error;
	const note = `Its webhook may have been replaced anyway; its URL was ${former}.`;
	error.description = withoutMarkup([error.description, note].filter(Boolean).join(' '));
	return error;
}

/**
 * The stored fields of a previous webhook. Everyone who can read the workflow can read n8n's static
 * data.
 */
const retainedFields = ['url', 'events', 'metadata'];

/** Whether a webhook may have secrets: headers, a password in its URL, or unknown fields. */
function mayHoldSecrets(webhook: JsonRecord): boolean {
	const url = parseUrl(String(webhook.url));
	const others = Object.entries(webhook).filter(([name]) => !retainedFields.includes(name));
	return (
		others.some(([, value]) => !isUnset(value)) || Boolean(url?.username) || Boolean(url?.password)
	);
}

/** Points the webhook of an existing monitor to this trigger. */
export async function attach(lifecycle: TriggerLifecycle): Promise<Registration> {
	const { connection, staticData } = lifecycle;
	const { monitorId, events, replaceWebhook } = settingsOf(lifecycle);
	if (monitorId === undefined) {
		throw operationError(
			`'Monitor' is required`,
			[forUser('Pick one from the list, or enter its ID. Nothing was sent.')],
			connection.errorSource,
		);
	}
	const monitor = await findMonitor(lifecycle.connection, monitorId);
	if (!monitor) {
		throw operationError(
			`There is no monitor ${monitorId}`,
			[forUser('Pick one from the list; it may have been deleted.')],
			connection.errorSource,
		);
	}
	rejectUnjudged(lifecycle, monitor);
	const isOurs = pointsToThisTrigger(lifecycle, monitor);
	if (isRecord(monitor.webhook) && !isOurs && !replaceWebhook) {
		throw operationError(
			`The monitor '${String(monitor.name)}' already has a webhook with another URL`,
			[
				forUser(
					`Turn on 'Replace Webhook' to replace it while the workflow is active, or let this node create its own monitor.`,
				),
			],
			connection.errorSource,
		);
	}
	if (isRecord(monitor.webhook) && !isOurs && mayHoldSecrets(monitor.webhook)) {
		throw operationError(
			`The webhook of the monitor '${String(monitor.name)}' may hold secrets and is not replaced`,
			[
				forUser(
					`It has headers, or a password in its URL. To restore them later, n8n would have to store them where others can read them. Set a webhook without them, or let this node create its own monitor.`,
				),
			],
			connection.errorSource,
		);
	}
	const before = isRegistration(staticData.registration)
		? staticData.registration.previous
		: undefined;
	const previous = isOurs ? before : (monitor.webhook ?? null);
	const webhook = webhookOf(lifecycle, 'attached', events);
	const changed = await settle(changeMonitor(lifecycle.connection, monitorId, { webhook }));
	if (!changed.ok) {
		// The response may have been lost: then the previous webhook must be stored.
		const found = isOurs ? undefined : await settle(findMonitor(lifecycle.connection, monitorId));
		const now = found?.ok ? found.value : undefined;
		if (isOurs || (now && !pointsToThisTrigger(lifecycle, now))) throw changed.error;
		if (!now) throw uncertain(changed.error, previous);
	}
	return {
		kind: 'attached',
		monitorId,
		requestHash: requestHash({ monitorId, webhook }),
		previous: isRecord(previous) ? (previous as IDataObject) : null,
	};
}

/**
 * Warns an administrator of a monitor that had no webhook before: the API cannot remove one
 * (docs/api-notes.md, Requests).
 */
const remainingWebhook = (monitor: IDataObject, webhookUrl: string): string =>
	`The monitor '${String(monitor.name)}' still sends events to ${webhookUrl}, which is no longer active: the API does not support removing a webhook. Change its URL, or create a new monitor`;

/**
 * Restores a monitor's previous webhook, unless it points elsewhere by now. Returns whether the
 * monitor exists.
 */
export async function detach(
	lifecycle: TriggerLifecycle,
	id: string,
	previous: IDataObject | null,
): Promise<boolean> {
	const monitor = await findMonitor(lifecycle.connection, id);
	if (!monitor || !pointsToThisTrigger(lifecycle, monitor)) return monitor !== undefined;
	if (previous) await changeMonitor(lifecycle.connection, id, { webhook: previous });
	else lifecycle.context.logger.warn(remainingWebhook(monitor, lifecycle.webhookUrl));
	return true;
}
