import type { IHookFunctions } from 'n8n-workflow';
import { attempt } from '../runtime/values/settle';
import { fieldOf } from '../runtime/values/record';
import {
	pointsToThisTrigger,
	lifecycleOf,
	isUnreachable,
	refuseUnreachable,
	settingsOf,
	wantedMonitor,
	webhookOf,
	type TriggerLifecycle,
} from './hook';
import { isMarked, triggerKey } from './mark';
import { checkMonitor, findMonitor, removeMonitor } from './monitors';
import { askedFor, attach, detach, isRegistration, register, removeOwn } from './registration';

/** What an administrator is told of a trigger whose calls nobody can check. */
const unsignedWarning = (context: IHookFunctions): string =>
	`The credential of '${context.getNode().name}' in workflow ${context.getWorkflow().id} has no 'Webhook Secret': anybody who knows the trigger's address can start the workflow with data of their own`;

/** Whether the service calls this trigger as it is wanted now. A monitor that was deleted elsewhere does not. */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	const hook = await lifecycleOf(context);
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
	const monitor = await findMonitor(hook.connection, registration.monitorId);
	return (
		monitor !== undefined &&
		pointsToThisTrigger(hook, monitor) &&
		isMarked(fieldOf(monitor.webhook, 'metadata'), triggerKey(hook.context))
	);
}

/** Removes what an activation that failed may have left behind; of one that was refused before any request there is nothing. */
async function undoUnknown(hook: TriggerLifecycle): Promise<void> {
	const settings = attempt(() => {
		const wanted = settingsOf(hook);
		if (wanted.source === 'newMonitor') wantedMonitor(hook);
		return wanted;
	});
	if (!settings.ok || isUnreachable(hook)) return;
	const { source, monitorId } = settings.value;
	if (source === 'newMonitor') await removeOwn(hook);
	// What it called before is not known any more; the activation's error has named it.
	else if (monitorId !== undefined) await detach(hook, monitorId, null);
}

/** Undoes a registration, and no more: removes the monitor that was made for it, or gives an existing one its former webhook back. */
async function undo(hook: TriggerLifecycle): Promise<void> {
	const { registration } = hook.stored;
	if (!isRegistration(registration)) return await undoUnknown(hook);
	const { kind, monitorId, previous = null } = registration;
	if (kind === 'attached') {
		const isThere = await detach(hook, monitorId, previous);
		// One that is said to be gone may come back: what it called before stays known.
		if (!isThere && previous) return;
	} else {
		await removeMonitor(hook.connection, monitorId);
		await removeOwn(hook);
	}
	delete hook.stored.registration;
}

/**
 * Has the service call this trigger.
 * @throws NodeOperationError when it cannot reach this n8n, NodeApiError when it refuses
 */
export async function activate(context: IHookFunctions): Promise<boolean> {
	const hook = await lifecycleOf(context);
	const { source, monitorId } = settingsOf(hook);
	if (source !== 'jobs') refuseUnreachable(hook);
	if (hook.connection.webhookSecret === '') context.logger.warn(unsignedWarning(context));
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
		await checkMonitor(hook.connection, registration.monitorId);
	}
	return true;
}

/** Undoes what activation did. */
export async function deactivate(context: IHookFunctions): Promise<boolean> {
	await undo(await lifecycleOf(context));
	return true;
}
