import { ValidationFailure } from '../form/schema';
import { operationError, type ErrorSource } from '../api/errors';
import type { ItemRequest, Operation } from '../operation/operation';
import type { Outcome } from '../values/settle';
import type { Settings } from '../form/options';
import { fact, forUser } from '../api/sentence';

/** An item with valid input. */
export interface Task {
	body: unknown;
	settings: Settings;
	/** The requests of all items that the task covers. */
	requests: ItemRequest[];
}

/** The tasks by input item; undefined for items that another item's task covers. */
export type Tasks = Array<Outcome<Task> | undefined>;

const readyTasks = (tasks: Tasks): Task[] =>
	tasks.flatMap((task) => (task?.ok ? [task.value] : []));

/**
 * Merges all items into the task of the first, if the operation and the user want one request.
 * Items with invalid input keep their errors. If the requests cannot be merged, every item gets an
 * error.
 */
export function mergeItems(
	tasks: Tasks,
	operation: Operation,
	errorSourceOf: (itemIndex: number) => ErrorSource,
): Tasks {
	const ready = readyTasks(tasks);
	if (!operation.mergeBodies || ready.length === 0) return tasks;
	const [first] = ready;
	const body = operation.mergeBodies(ready.map((task) => task.body));
	const requests = ready.flatMap((task) => task.requests);
	const [{ itemIndex }] = requests;
	return tasks.map((task, index) => {
		if (task && !task.ok) return task;
		if (body instanceof ValidationFailure) {
			return {
				ok: false,
				error: operationError(
					body.because,
					[fact('Nothing was sent.'), forUser('Correct the fields in the message.')],
					errorSourceOf(index),
				),
			};
		}
		return index === itemIndex ? { ok: true, value: { ...first, body, requests } } : undefined;
	});
}
