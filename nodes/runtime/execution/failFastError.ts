import type { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { withoutItemMark } from '../api/errors';

/** A failed input item. */
export interface ItemFailure {
	error: NodeApiError | NodeOperationError;
	itemIndex: number;
}

/** "Item 1", "Items 1 and 2", "Items 1, 2 and 3". */
const listItems = (items: number[]): string =>
	items.length === 1
		? `Item ${items[0]}`
		: `Items ${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** The message and description of a failure, without its item. */
const messageOf = ({ error }: ItemFailure) =>
	[`${withoutItemMark(error.message)}.`, error.description].filter(Boolean).join(' ');

/** Lists the failures beside the first, grouped by message. */
function others([first, ...rest]: ItemFailure[]): string[] {
	const alike = new Map<string, number[]>();
	for (const failure of rest.sort((one, other) => one.itemIndex - other.itemIndex)) {
		const message = messageOf(failure);
		const items = alike.get(message);
		if (items) items.push(failure.itemIndex);
		else alike.set(message, [failure.itemIndex]);
	}
	const same = messageOf(first);
	return [...alike].map(([message, items]) =>
		message === same
			? `${listItems(items)} failed with the same error.`
			: `${listItems(items)} failed too: ${message}`,
	);
}

const lost = (completed: number) =>
	completed === 0
		? []
		: [
				`${completed} other ${completed === 1 ? 'item succeeded and is' : 'items succeeded and are'} not returned. To return them next time, set 'On Error' in the node's settings to continue.`,
			];

/**
 * The error of a run that stops at its first failure. It also lists the results that are lost
 * although they were charged, and the outcome of items in flight.
 */
export function failFastError(failures: ItemFailure[], completed: number): ItemFailure['error'] {
	const [{ error }] = failures;
	const description = [error.description, ...others(failures), ...lost(completed)];
	error.description = description.filter(Boolean).join(' ');
	return error;
}
