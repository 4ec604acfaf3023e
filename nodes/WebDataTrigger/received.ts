import type { IDataObject } from 'n8n-workflow';
import { SeenSet } from '../runtime/values/seenSet';

/** How many deliveries are remembered, so that a repeated one starts nothing: the service repeats within half an hour. */
const deliveriesRemembered = 5_000;
const latelyRemembered = 1_000;

/**
 * What each trigger has lately received in this process. Calls that overlap each have a copy of n8n's
 * static data of their own, and the last to end would forget the others.
 */
const lately = new Map<string, SeenSet>();

function latelyOf(trigger: string): SeenSet {
	const memory = lately.get(trigger) ?? new SeenSet(undefined, latelyRemembered);
	lately.set(trigger, memory);
	return memory;
}

/** Puts what a trigger has lately received into the static data that n8n saves when the call ends. */
export function keepReceived(trigger: string, stored: IDataObject): SeenSet {
	const memory = new SeenSet(stored.deliveries, deliveriesRemembered);
	memory.add(latelyOf(trigger));
	stored.deliveries = memory.toString();
	return memory;
}

/** Notes a delivery; says whether it came for the first time. */
export function isFirst(webhookId: string, trigger: string, stored: IDataObject): boolean {
	const known = new SeenSet(stored.deliveries, deliveriesRemembered);
	const recent = latelyOf(trigger);
	if (known.statusOf(webhookId) === 'known' || recent.statusOf(webhookId) === 'known') return false;
	recent.remember(webhookId);
	keepReceived(trigger, stored);
	return true;
}
