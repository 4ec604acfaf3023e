import {
	objectSchema,
	ValidationFailure,
	stringSchema,
} from '../../../../nodes/runtime/form/schema';
import { operationError } from '../../../../nodes/runtime/api/errors';
import { forUser } from '../../../../nodes/runtime/api/sentence';
import { mergeItems, type Tasks } from '../../../../nodes/runtime/execution/mergeItems';
import { operation } from '../../../../nodes/runtime/operation/operation';
import { settingsSchema } from '../../../../nodes/runtime/form/options';
import { accepted, errorSource } from '../../schemaAssertions.cjs';

const errorSourceOf = (itemIndex: number) => errorSource({ itemIndex });

const adding = (join: (bodies: Array<{ name: string }>) => { name: string } | ValidationFailure) =>
	operation({
		name: 'Add',
		value: 'add',
		action: 'Add names',
		description: 'Adds names',
		fields: [],
		costs: 'free',
		schema: objectSchema({ name: stringSchema() }),
		read: (values) => values,
		mergeBodies: join,
		run: async () => await Promise.resolve([]),
	});
const joined = adding((bodies) => ({ name: bodies.map(({ name }) => name).join('+') }));

const ready = (name: string, itemIndex: number) => ({
	ok: true as const,
	value: {
		body: { name },
		settings: accepted(settingsSchema, { retries: { maxTries: itemIndex + 1 } }),
		requests: [{ itemIndex, body: { name } }],
	},
});
const bad = (itemIndex: number) => ({
	ok: false as const,
	error: operationError('Bad', [forUser('Mend it.')], errorSourceOf(itemIndex)),
});
const errorsIn = (tasks: Tasks) =>
	tasks.map((task) => (task && !task.ok ? task.error.message : undefined));

describe('Merging the tasks of all items', () => {
	it('returns one task, of the first item, with the requests of all', () => {
		const tasks = ['a', 'b', 'c'].map(ready);

		const [first, ...others] = mergeItems(tasks, joined, errorSourceOf);

		expect(first).toEqual({
			ok: true,
			value: {
				...ready('a', 0).value,
				body: { name: 'a+b+c' },
				requests: ['a', 'b', 'c'].map((name, itemIndex) => ({ itemIndex, body: { name } })),
			},
		});
		expect(others).toEqual([undefined, undefined]);
	});

	it('keeps the errors of invalid items and uses the first valid one', () => {
		const tasks = [bad(0), ready('b', 1), bad(2), ready('d', 3)];

		const merged = mergeItems(tasks, joined, errorSourceOf);

		expect([merged[0], merged[2], merged[3]]).toEqual([tasks[0], tasks[2], undefined]);
		expect(merged[1]).toMatchObject({
			value: {
				body: { name: 'b+d' },
				requests: [{ itemIndex: 1 }, { itemIndex: 3 }],
			},
		});
	});

	it('returns one task for one item', () => {
		expect(mergeItems([ready('a', 0)], joined, errorSourceOf)).toEqual([ready('a', 0)]);
	});

	it('rejects every item if the requests cannot be merged', () => {
		const refusing = adding(() => new ValidationFailure('The names differ'));

		const merged = mergeItems([ready('a', 0), bad(1), ready('c', 2)], refusing, errorSourceOf);

		expect(errorsIn(merged)).toEqual([
			'The names differ [item 0]',
			'Bad [item 1]',
			'The names differ [item 2]',
		]);
	});

	it('changes nothing for an operation without it', () => {
		const tasks = [ready('a', 0), bad(1)];
		const alone = { ...joined, mergeBodies: undefined };

		expect(mergeItems(tasks, alone, errorSourceOf)).toBe(tasks);
	});

	it('changes nothing if no item is valid', () => {
		const tasks = [bad(0), bad(1)];

		expect(mergeItems(tasks, joined, errorSourceOf)).toBe(tasks);
		expect(mergeItems([], joined, errorSourceOf)).toEqual([]);
	});
});
