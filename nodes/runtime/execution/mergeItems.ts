import { ValidationFailure } from '../form/schema';
import { operationError, type ErrorSource } from '../api/errors';
import type { ItemRequest, Operation, Values } from '../operation/operation';
import type { Outcome } from '../values/settle';
import type { Settings } from '../form/options';

/** An item whose input has passed its schema. */
export interface Task {
	body: unknown;
	values: Values;
	settings: Settings;
	/** The requests of the items that it stands for. */
	requests: ItemRequest[];
}

/** The tasks by input item; undefined where another item's task stands for this one. */
export type Tasks = Array<Outcome<Task> | undefined>;

const readyTasks = (tasks: Tasks): Task[] =>
	tasks.flatMap((task) => (task?.ok ? [task.value] : []));

/**
 * Makes one task of those of all items, where the operation and the user want that: the first item's,
 * which stands for the others too. Items with bad input keep their errors; where the requests do not
 * go together, every item is refused.
 */
export function mergeItems(
	tasks: Tasks,
	operation: Operation,
	errorSourceOf: (itemIndex: number) => ErrorSource,
): Tasks {
	const ready = readyTasks(tasks);
	if (!operation.mergeBodies || ready.length === 0) return tasks;
	const [first] = ready;
	const body = operation.mergeBodies(
		ready.map((task) => task.body),
		first.values,
	);
	if (body === undefined) return tasks;
	const requests = ready.flatMap((task) => task.requests);
	const [{ itemIndex }] = requests;
	return tasks.map((task, index) => {
		if (task && !task.ok) return task;
		if (body instanceof ValidationFailure) {
			return {
				ok: false,
				error: operationError(body.because, 'Nothing was sent.', errorSourceOf(index)),
			};
		}
		return index === itemIndex ? { ok: true, value: { ...first, body, requests } } : undefined;
	});
}
