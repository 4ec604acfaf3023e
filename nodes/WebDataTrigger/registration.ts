import type { IDataObject } from 'n8n-workflow';
import { operationError } from '../runtime/api/errors';
import { fingerprint } from '../runtime/values/seenSet';
import { settle } from '../runtime/values/settle';
import { isRecord, fieldOf } from '../runtime/values/record';
import {
	pointsToThisTrigger,
	settingsOf,
	wantedMonitor,
	type TriggerLifecycle,
} from './triggerLifecycle';
import { registrationLabel } from './ownership';
import { changeMonitor, createMonitor, listMonitors, removeMonitor } from './monitors';
import { forUser } from '../runtime/api/sentence';

/** A registration in n8n's static data. */
export interface Registration {
	monitorId: string;
	/** Hash of the registered settings. */
	requestHash: string;
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
			fieldOf(fieldOf(monitor.webhook, 'metadata'), 'registration') === registrationLabel,
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
		return { monitorId, requestHash: requestHash(wanted) };
	};
	const there = await ownMonitors(lifecycle);
	if (there.length > 0) return await adopt(there);
	const made = await settle(createMonitor(lifecycle.connection, wanted));
	if (made.ok) return { monitorId: made.value, requestHash: requestHash(wanted) };
	// The response was lost, but the monitor may exist.
	const after = await settle(ownMonitors(lifecycle));
	if (after.ok && after.value.length > 0) return await adopt(after.value);
	throw made.error;
}
