import type { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { withoutItemMark } from '../api/errors';

/** An input item that failed. */
export interface ItemFailure {
	error: NodeApiError | NodeOperationError;
	itemIndex: number;
}

/** "Item 1", "Items 1 and 2", "Items 1, 2 and 3". */
const listItems = (items: number[]): string =>
	items.length === 1
		? `Item ${items[0]}`
		: `Items ${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** What is said of a failure, without its item. */
const messageOf = ({ error }: ItemFailure) =>
	[`${withoutItemMark(error.message)}.`, error.description].filter(Boolean).join(' ');

/** The failures beside the first, those that are alike together. */
function others([first, ...rest]: ItemFailure[]): string[] {
	const alike = new Map<string, number[]>();
	for (const failure of rest.sort((one, other) => one.itemIndex - other.itemIndex)) {
		const words = messageOf(failure);
		const items = alike.get(words);
		if (items) items.push(failure.itemIndex);
		else alike.set(words, [failure.itemIndex]);
	}
	const same = messageOf(first);
	return [...alike].map(([words, items]) =>
		words === same
			? `${listItems(items)} failed in the same way.`
			: `${listItems(items)} failed too: ${words}`,
	);
}

const lost = (answered: number) =>
	answered === 0
		? []
		: [
				`${answered} other ${answered === 1 ? 'item was answered and does' : 'items were answered and do'} not come out. To keep them next time, set 'On Error' in the node's settings to continue.`,
			];

/**
 * The error of a run that ends at its first failure. It says what else is lost with it: results that
 * were paid for and do not come out, and what became of the items that were under way.
 */
export function failFastError(failures: ItemFailure[], answered: number): ItemFailure['error'] {
	const [{ error }] = failures;
	const description = [error.description, ...others(failures), ...lost(answered)];
	error.description = description.filter(Boolean).join(' ');
	return error;
}
