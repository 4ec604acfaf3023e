import type { IHookFunctions } from 'n8n-workflow';
import { attempt } from '../runtime/values/settle';
import { fieldOf } from '../runtime/values/record';
import {
	pointsToThisTrigger,
	lifecycleOf,
	isUnreachable,
	rejectUnreachable,
	settingsOf,
	wantedMonitor,
	webhookOf,
	type TriggerLifecycle,
} from './triggerLifecycle';
import { hasOwnershipMetadata, triggerKey } from './ownership';
import { checkMonitor, findMonitor, removeMonitor } from './monitors';
import { requestHash, attach, detach, isRegistration, register, removeOwn } from './registration';

/** Warns an administrator of a trigger without signatures. */
const unsignedWarning = (context: IHookFunctions): string =>
	`The credential of '${context.getNode().name}' in workflow ${context.getWorkflow().id} has no 'Webhook Secret': anyone who knows the trigger's URL can start the workflow with forged data`;

/**
 * Whether a monitor with the current settings points to this trigger. It may have been deleted
 * elsewhere.
 */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	const lifecycle = await lifecycleOf(context);
	const { source, monitorId, events } = settingsOf(lifecycle);
	const { registration } = lifecycle.staticData;
	if (!isRegistration(registration)) return source === 'jobs';
	const hash =
		source === 'newMonitor'
			? requestHash(wantedMonitor(lifecycle))
			: requestHash({
					monitorId: monitorId ?? '',
					webhook: webhookOf(lifecycle, 'attached', events),
				});
	if (registration.requestHash !== hash) return false;
	const monitor = await findMonitor(lifecycle.connection, registration.monitorId);
	return (
		monitor !== undefined &&
		pointsToThisTrigger(lifecycle, monitor) &&
		hasOwnershipMetadata(fieldOf(monitor.webhook, 'metadata'), triggerKey(lifecycle.context))
	);
}

/** Removes what a failed activation may have left. Nothing, if it was rejected before any request. */
async function undoUnknown(lifecycle: TriggerLifecycle): Promise<void> {
	const settings = attempt(() => {
		const wanted = settingsOf(lifecycle);
		if (wanted.source === 'newMonitor') wantedMonitor(lifecycle);
		return wanted;
	});
	if (!settings.ok || isUnreachable(lifecycle)) return;
	const { source, monitorId } = settings.value;
	if (source === 'newMonitor') await removeOwn(lifecycle);
	// The previous webhook is unknown by now; the activation's error has named it.
	else if (monitorId !== undefined) await detach(lifecycle, monitorId, null);
}

/**
 * Undoes a registration: removes the monitor that it created, or restores an existing monitor's
 * previous webhook.
 */
async function undo(lifecycle: TriggerLifecycle): Promise<void> {
	const { registration } = lifecycle.staticData;
	if (!isRegistration(registration)) return await undoUnknown(lifecycle);
	const { kind, monitorId, previous = null } = registration;
	if (kind === 'attached') {
		const isThere = await detach(lifecycle, monitorId, previous);
		// A monitor reported as gone may come back: keep its previous webhook.
		if (!isThere && previous) return;
	} else {
		await removeMonitor(lifecycle.connection, monitorId);
		await removeOwn(lifecycle);
	}
	delete lifecycle.staticData.registration;
}

/**
 * Registers the trigger with a monitor.
 * @throws NodeOperationError if the service cannot reach this n8n, NodeApiError if it returns an
 * error
 */
export async function activate(context: IHookFunctions): Promise<boolean> {
	const lifecycle = await lifecycleOf(context);
	const { source, monitorId } = settingsOf(lifecycle);
	if (source !== 'jobs') rejectUnreachable(lifecycle);
	if (lifecycle.connection.webhookSecret === '') context.logger.warn(unsignedWarning(context));
	const { registration: before } = lifecycle.staticData;
	const isSameMonitor =
		isRegistration(before) &&
		(before.kind === 'own' ? source === 'newMonitor' : monitorId === before.monitorId);
	// A failed deactivation has left it behind.
	if (isRegistration(before) && !isSameMonitor) await undo(lifecycle);
	if (source === 'jobs') return true;
	const registration =
		source === 'newMonitor' ? await register(lifecycle) : await attach(lifecycle);
	lifecycle.staticData.registration = { ...registration };
	// While the editor listens for a test event, no scheduled check would come in time.
	if (source === 'newMonitor' && context.getMode() === 'manual') {
		await checkMonitor(lifecycle.connection, registration.monitorId);
	}
	return true;
}

/** Undoes the activation. */
export async function deactivate(context: IHookFunctions): Promise<boolean> {
	await undo(await lifecycleOf(context));
	return true;
}
