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
	type TriggerLifecycle,
} from './triggerLifecycle';
import { hasOwnershipMetadata, triggerKey } from './ownership';
import { checkMonitor, findMonitor, removeMonitor } from './monitors';
import { requestHash, isRegistration, register, removeOwn } from './registration';

/** Warns an administrator of a trigger without signatures. */
const unsignedWarning = (context: IHookFunctions): string =>
	`The credential of '${context.getNode().name}' in workflow ${context.getWorkflow().id} has no 'Webhook Secret': anyone who knows the trigger's URL can start the workflow with forged data`;

/**
 * Whether a monitor with the current settings points to this trigger. It may have been deleted
 * elsewhere.
 */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	const lifecycle = await lifecycleOf(context);
	const { source } = settingsOf(lifecycle);
	const { registration } = lifecycle.staticData;
	if (!isRegistration(registration) || source !== 'newMonitor')
		return !isRegistration(registration) && source !== 'newMonitor';
	if (registration.requestHash !== requestHash(wantedMonitor(lifecycle))) return false;
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
	if (settings.value.source === 'newMonitor') await removeOwn(lifecycle);
}

/** Undoes a registration: removes the monitor that it created. */
async function undo(lifecycle: TriggerLifecycle): Promise<void> {
	const { registration } = lifecycle.staticData;
	if (!isRegistration(registration)) return await undoUnknown(lifecycle);
	await removeMonitor(lifecycle.connection, registration.monitorId);
	await removeOwn(lifecycle);
	delete lifecycle.staticData.registration;
}

/**
 * Registers the trigger with a monitor.
 * @throws NodeOperationError if the service cannot reach this n8n, NodeApiError if it returns an
 * error
 */
export async function activate(context: IHookFunctions): Promise<boolean> {
	const lifecycle = await lifecycleOf(context);
	const isOwn = settingsOf(lifecycle).source === 'newMonitor';
	if (isOwn) rejectUnreachable(lifecycle);
	if (lifecycle.connection.webhookSecret === '') context.logger.warn(unsignedWarning(context));
	if (!isOwn) {
		// A failed deactivation has left it behind.
		if (isRegistration(lifecycle.staticData.registration)) await undo(lifecycle);
		return true;
	}
	const registration = await register(lifecycle);
	lifecycle.staticData.registration = { ...registration };
	// While the editor listens for a test event, no scheduled check would come in time.
	if (context.getMode() === 'manual') {
		await checkMonitor(lifecycle.connection, registration.monitorId);
	}
	return true;
}

/** Undoes the activation. */
export async function deactivate(context: IHookFunctions): Promise<boolean> {
	await undo(await lifecycleOf(context));
	return true;
}
