import type { IDataObject } from 'n8n-workflow';
import { SeenSet } from '../runtime/values/seenSet';

/**
 * Most stored webhook IDs, which suppress repeated events: the service sends again within half an
 * hour.
 */
const mostStored = 5_000;
const mostRecent = 1_000;

/**
 * The recent webhook IDs of each trigger in this process. Concurrent webhook requests have separate
 * copies of n8n's static data, and the last to end would overwrite the others.
 */
const recentByTrigger = new Map<string, SeenSet>();

function recentOf(trigger: string): SeenSet {
	const memory = recentByTrigger.get(trigger) ?? new SeenSet(undefined, mostRecent);
	recentByTrigger.set(trigger, memory);
	return memory;
}

/**
 * Merges a trigger's recent webhook IDs into the static data, which n8n saves after the webhook
 * request.
 */
export function saveReceived(trigger: string, staticData: IDataObject): SeenSet {
	const memory = new SeenSet(staticData.webhookIds, mostStored);
	memory.addAll(recentOf(trigger));
	staticData.webhookIds = memory.toString();
	return memory;
}

/** Records a webhook ID; returns whether it is new. */
export function isFirstAttempt(
	webhookId: string,
	trigger: string,
	staticData: IDataObject,
): boolean {
	const known = new SeenSet(staticData.webhookIds, mostStored);
	const recent = recentOf(trigger);
	if (known.statusOf(webhookId) === 'known' || recent.statusOf(webhookId) === 'known') return false;
	recent.add(webhookId);
	saveReceived(trigger, staticData);
	return true;
}
