import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isUnset } from '../runtime/contract';
import { answeredWithout, inputError, operationError } from '../runtime/errors';
import { fingerprint } from '../runtime/memory';
import type { Values } from '../runtime/operation';
import { attempt, settle } from '../runtime/outcome';
import { readByOffset } from '../runtime/paginateByOffset';
import { parseUrl } from '../runtime/parseUrl';
import { isPrivateAddress } from '../runtime/privateAddress';
import { isRecord, memberOf, type JsonRecord } from '../runtime/record';
import { asRecord } from '../runtime/results';
import { withoutMarkup } from '../runtime/withoutMarkup';
import { monitorPath } from '../WebData/fields/monitor/monitorId';
import { serviceEvents } from './events';
import { open, type TriggerLine } from './line';
import { isMarked, markOf, registrationMark, triggerKey, type RegistrationKind } from './mark';
import { newMonitor, readNewMonitor, triggerContract, triggerFields } from './settings';

/** What the trigger keeps of its registration, in n8n's static data. */
interface Registration {
	kind: RegistrationKind;
	monitorId: string;
	/** Fingerprint of what was asked for. */
	asked: string;
	/** The webhook that an attached monitor had before; null when it had none. */
	previous?: IDataObject | null;
}

/** A trigger that is activated or deactivated: what it wants, and its line to the service. */
interface Hook {
	context: IHookFunctions;
	line: TriggerLine;
	values: Values;
	/** Where the service is to call. */
	address: string;
	/** n8n's static data of the node. */
	stored: IDataObject;
}

async function hookOf(context: IHookFunctions): Promise<Hook> {
	const values = Object.fromEntries(
		triggerFields.map(({ name }) => [name, context.getNodeParameter(name, null)]),
	);
	return {
		context,
		line: await open(context),
		values,
		address: context.getNodeWebhookUrl('default') ?? '',
		stored: context.getWorkflowStaticData('node'),
	};
}

const isRegistration = (value: unknown): value is Registration =>
	isRecord(value) && typeof value.monitorId === 'string';

function settingsOf({ values, line }: Hook) {
	const { source, events, jobEvents, onlyMeaningful, addPages, replaceWebhook, monitorId } = values;
	const settings = triggerContract.safeParse({
		source,
		events,
		jobEvents,
		onlyMeaningful,
		addPages,
		replaceWebhook,
		...(source === 'existingMonitor' && { monitorId }),
	});
	if (settings.success) return settings.data;
	throw inputError(settings.error.issues, line.place);
}

/** The webhook that a monitor of this trigger has. */
function webhookOf({ context, address }: Hook, kind: RegistrationKind, events: string[] = []) {
	const metadata = markOf(kind, triggerKey(context));
	return { url: address, events: serviceEvents(events), metadata };
}

/** The monitor that the node's parameters ask for. @throws NodeOperationError that names what is wrong */
function wantedMonitor(hook: Hook): IDataObject {
	const { context, values, line } = hook;
	const name = `${context.getWorkflow().name ?? 'n8n'}: ${context.getNode().name}`.slice(0, 256);
	const request = newMonitor.safeParse(readNewMonitor(values, name));
	if (!request.success) throw inputError(request.error.issues, line.place);
	return { ...request.data, webhook: webhookOf(hook, 'own', settingsOf(hook).events) };
}

const askedFor = (request: IDataObject) => fingerprint(JSON.stringify(request), 22);

const isGone = (error: Error) => error instanceof NodeApiError && error.httpCode === '404';

/** A monitor as the service has it; undefined when it is gone. */
async function find({ line }: Hook, id: string): Promise<IDataObject | undefined> {
	const request = { method: 'GET', path: monitorPath(id), cost: 'read' } as const;
	const outcome = await settle(line.send(request));
	if ('error' in outcome) {
		if (isGone(outcome.error)) return undefined;
		throw outcome.error;
	}
	const monitor = memberOf(outcome.value.body, 'data');
	if (!isRecord(monitor) || typeof monitor.id !== 'string')
		throw answeredWithout('the monitor', line.place);
	return monitor.status === 'deleted' ? undefined : asRecord(monitor);
}

const callsHere = ({ address }: Hook, monitor: IDataObject) =>
	memberOf(monitor.webhook, 'url') === address;

/** The monitors that this trigger made, whatever became of what it remembers of them. */
async function ownMonitors(hook: Hook): Promise<IDataObject[]> {
	const monitors = await readByOffset(
		{ method: 'GET', path: '/monitor', cost: 'read' },
		Infinity,
		hook.line,
	);
	return monitors.filter(
		(monitor) =>
			monitor.status !== 'deleted' &&
			callsHere(hook, monitor) &&
			memberOf(memberOf(monitor.webhook, 'metadata'), 'registration') === registrationMark.own,
	);
}

/** Changes a monitor. @throws NodeOperationError when the answer does not hold it: then nothing says that it was changed */
async function change({ line }: Hook, id: string, body: IDataObject): Promise<void> {
	const answer = await line.send({ method: 'PATCH', path: monitorPath(id), body, cost: 'read' });
	if (memberOf(memberOf(answer.body, 'data'), 'id') !== id)
		throw answeredWithout('the monitor', line.place);
}

async function remove({ line }: Hook, id: string): Promise<void> {
	const request = { method: 'DELETE', path: monitorPath(id), cost: 'read' } as const;
	const outcome = await settle(line.send(request));
	if ('error' in outcome && !isGone(outcome.error)) throw outcome.error;
}

async function check({ line }: Hook, id: string): Promise<void> {
	await line.send({ method: 'POST', path: `${monitorPath(id)}/run`, cost: 'paid start' });
}

/** What an administrator is told of a trigger whose calls nobody can check. */
const unsignedWarning = (context: IHookFunctions): string =>
	`The credential of '${context.getNode().name}' in workflow ${context.getWorkflow().id} has no 'Webhook Secret': anybody who knows the trigger's address can start the workflow with data of their own`;

/** Whether the address alone tells that the service cannot reach this n8n. */
const isUnreachable = ({ address, line }: Hook): boolean =>
	isPrivateAddress(address) && !isPrivateAddress(line.baseUrl);

function refuseUnreachable(hook: Hook): void {
	const { address, line } = hook;
	if (!isUnreachable(hook)) return;
	throw operationError(
		`The service cannot reach this n8n at ${address}`,
		`Nothing was registered. Make n8n reachable from the internet and set its WEBHOOK_URL to that address, or use the Web Data Search Trigger, which needs no calls from outside.`,
		line.place,
	);
}

/** Changes that nobody judges would never start the workflow. */
function refuseUnjudged(hook: Hook, { goal, judgeEnabled }: IDataObject): void {
	const isJudged = typeof goal === 'string' && judgeEnabled !== false;
	if (isJudged || !settingsOf(hook).onlyMeaningful) return;
	throw operationError(
		`'Only Meaningful Changes' needs a goal by which changes are judged`,
		`Nothing was registered. Give the monitor a goal and have its changes judged, or turn 'Only Meaningful Changes' off.`,
		hook.line.place,
	);
}

/** What a monitor has whose creation does not say otherwise (addendum 10). */
const usual = { goal: null, notification: {}, retentionDays: 30 };

/** Makes the monitor, or takes over the one that an earlier, interrupted activation made. */
async function register(hook: Hook): Promise<Registration> {
	const wanted = wantedMonitor(hook);
	refuseUnjudged(hook, wanted);
	const takeOver = async ([kept, ...spare]: IDataObject[]): Promise<Registration> => {
		const monitorId = String(kept.id);
		await change(hook, monitorId, { ...usual, ...wanted, status: 'active' });
		for (const { id } of spare) await remove(hook, String(id));
		return { kind: 'own', monitorId, asked: askedFor(wanted) };
	};
	const there = await ownMonitors(hook);
	if (there.length > 0) return await takeOver(there);
	const made = await settle(
		hook.line.send({ method: 'POST', path: '/monitor', body: wanted, cost: 'paid start' }),
	);
	const monitorId = 'value' in made ? memberOf(memberOf(made.value.body, 'data'), 'id') : undefined;
	if (typeof monitorId === 'string') return { kind: 'own', monitorId, asked: askedFor(wanted) };
	// The answer was lost on the way, but the monitor may be there.
	const after = await settle(ownMonitors(hook));
	if ('value' in after && after.value.length > 0) return await takeOver(after.value);
	throw 'error' in made ? made.error : answeredWithout('the monitor', hook.line.place);
}

/** The error of a change of which nothing is known: what the user needs to put things right. */
function uncertain(error: Error, previous: unknown): Error {
	const former = memberOf(previous, 'url');
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
async function attach(hook: Hook): Promise<Registration> {
	const { line, stored } = hook;
	const { monitorId, events, replaceWebhook } = settingsOf(hook);
	if (monitorId === undefined) {
		throw operationError(
			`'Monitor' is required`,
			'Pick one from the list, or enter its ID. Nothing was sent.',
			line.place,
		);
	}
	const monitor = await find(hook, monitorId);
	if (!monitor) {
		throw operationError(
			`There is no monitor ${monitorId}`,
			'Pick one from the list; it may have been deleted.',
			line.place,
		);
	}
	refuseUnjudged(hook, monitor);
	const isOurs = callsHere(hook, monitor);
	if (isRecord(monitor.webhook) && !isOurs && !replaceWebhook) {
		throw operationError(
			`The monitor '${String(monitor.name)}' calls another address already`,
			`Turn on 'Replace Webhook' to take its place while the workflow is active, or let this node make a monitor of its own.`,
			line.place,
		);
	}
	if (isRecord(monitor.webhook) && !isOurs && mayHoldSecrets(monitor.webhook)) {
		throw operationError(
			`The webhook of the monitor '${String(monitor.name)}' may hold secrets and is not replaced`,
			`It has headers, or a password in its address. To put them back later, n8n would have to store them where others can read them. Give the monitor a webhook without them, or let this node make a monitor of its own.`,
			line.place,
		);
	}
	const before = isRegistration(stored.registration) ? stored.registration.previous : undefined;
	const previous = isOurs ? before : (monitor.webhook ?? null);
	const webhook = webhookOf(hook, 'attached', events);
	const changed = await settle(change(hook, monitorId, { webhook }));
	if ('error' in changed) {
		// The answer may have been lost on the way: then the webhook of before must be remembered.
		const looked = isOurs ? undefined : await settle(find(hook, monitorId));
		const now = looked && 'value' in looked ? looked.value : undefined;
		if (isOurs || (now && !callsHere(hook, now))) throw changed.error;
		if (!now) throw uncertain(changed.error, previous);
	}
	return {
		kind: 'attached',
		monitorId,
		asked: askedFor({ monitorId, webhook }),
		previous: isRecord(previous) ? (previous as IDataObject) : null,
	};
}

/** Whether the service calls this trigger as it is wanted now. A monitor that was deleted elsewhere does not. */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	const hook = await hookOf(context);
	const { source, monitorId, events } = settingsOf(hook);
	const { registration } = hook.stored;
	if (!isRegistration(registration)) return source === 'jobs';
	const asked =
		source === 'newMonitor'
			? askedFor(wantedMonitor(hook))
			: askedFor({
					monitorId: monitorId ?? '',
					webhook: webhookOf(hook, 'attached', events),
				});
	if (registration.asked !== asked) return false;
	const monitor = await find(hook, registration.monitorId);
	return (
		monitor !== undefined &&
		callsHere(hook, monitor) &&
		isMarked(memberOf(monitor.webhook, 'metadata'), triggerKey(hook.context))
	);
}

/** What an administrator is told of a monitor that had no webhook before: the service takes none off (docs/api-notes.md, Requests). */
const remainingWebhook = (monitor: IDataObject, address: string): string =>
	`The monitor '${String(monitor.name)}' goes on calling ${address}, where nobody listens now: the service takes no webhook off a monitor. Give it another address, or make a new monitor`;

/** Gives a monitor its former webhook back, unless it calls somebody else by now. Resolves with whether there is such a monitor. */
async function detach(hook: Hook, id: string, previous: IDataObject | null): Promise<boolean> {
	const monitor = await find(hook, id);
	if (!monitor || !callsHere(hook, monitor)) return monitor !== undefined;
	if (previous) await change(hook, id, { webhook: previous });
	else hook.context.logger.warn(remainingWebhook(monitor, hook.address));
	return true;
}

async function removeOwn(hook: Hook): Promise<void> {
	for (const { id } of await ownMonitors(hook)) await remove(hook, String(id));
}

/** Removes what an activation that failed may have left behind; of one that was refused before any request there is nothing. */
async function undoUnknown(hook: Hook): Promise<void> {
	const settings = attempt(() => settingsOf(hook));
	if ('error' in settings || isUnreachable(hook)) return;
	const { source, monitorId } = settings.value;
	if (source === 'newMonitor') await removeOwn(hook);
	// What it called before is not known any more; the activation's error has named it.
	else if (monitorId !== undefined) await detach(hook, monitorId, null);
}

/** Undoes a registration, and no more: removes the monitor that was made for it, or gives an existing one its former webhook back. */
async function undo(hook: Hook): Promise<void> {
	const { registration } = hook.stored;
	if (!isRegistration(registration)) return await undoUnknown(hook);
	const { kind, monitorId, previous = null } = registration;
	if (kind === 'attached') {
		const isThere = await detach(hook, monitorId, previous);
		// One that is said to be gone may come back: what it called before stays known.
		if (!isThere && previous) return;
	} else {
		await remove(hook, monitorId);
		await removeOwn(hook);
	}
	delete hook.stored.registration;
}

/**
 * Has the service call this trigger.
 * @throws NodeOperationError when it cannot reach this n8n, NodeApiError when it refuses
 */
export async function activate(context: IHookFunctions): Promise<boolean> {
	const hook = await hookOf(context);
	const { source, monitorId } = settingsOf(hook);
	if (source !== 'jobs') refuseUnreachable(hook);
	if (hook.line.webhookSecret === '') context.logger.warn(unsignedWarning(context));
	const { registration: before } = hook.stored;
	const goesOn =
		isRegistration(before) &&
		(before.kind === 'own' ? source === 'newMonitor' : monitorId === before.monitorId);
	// A deactivation that failed has left it behind.
	if (isRegistration(before) && !goesOn) await undo(hook);
	if (source === 'jobs') return true;
	const registration = source === 'newMonitor' ? await register(hook) : await attach(hook);
	hook.stored.registration = { ...registration };
	// While the editor listens for a test event, no schedule would come round in time.
	if (source === 'newMonitor' && context.getMode() === 'manual') {
		await check(hook, registration.monitorId);
	}
	return true;
}

/** Undoes what activation did. */
export async function deactivate(context: IHookFunctions): Promise<boolean> {
	await undo(await hookOf(context));
	return true;
}
