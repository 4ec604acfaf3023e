import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import { resources } from '../../../nodes/WebData/resources';
import { builtNode } from '../../builtNode.cjs';
import { node } from '../schemaAssertions.cjs';

const { description } = builtNode('WebData');

/** The operations that wait for a job. */
const waiting = resources.flatMap(({ value: resource, operations }) =>
	operations
		.filter(({ fields }) => fields.some(({ name }) => name === 'wait'))
		.map(({ value: operation }) => ({ resource, operation })),
);

type Chosen = Record<'resource' | 'operation' | 'wait', string>;

/** The names of the fields that the editor shows. */
const shownFor = (chosen: Chosen): string[] =>
	description.properties
		.filter((field) => NodeHelpers.displayParameter(chosen, field, node, description))
		.map(({ name }) => name);

/** The names that the editor's menu of a group offers. */
function offeredFor(chosen: Chosen, group: string): string[] {
	const values = { ...chosen, [group]: {} };
	return description.properties
		.filter(({ name }) => name === group)
		.filter((field) => NodeHelpers.displayParameter(chosen, field, node, description))
		.flatMap(({ options = [] }) => options)
		.filter((option): option is INodeProperties => 'type' in option)
		.filter((option) => NodeHelpers.displayParameterPath(values, option, group, node, description))
		.map(({ name }) => name);
}

/** What each way to wait needs: a field beside it, and what its menu offers. */
const needed = [
	{ wait: 'none', fields: [], menu: [] },
	{ wait: 'poll', fields: ['maxWait', 'waiting'], menu: ['cancelJob', 'onTimeout'] },
];

it('waits for jobs of three resources', () => {
	expect(waiting.map(({ resource }) => resource)).toEqual(['crawl', 'batch', 'agent']);
});

describe.each(waiting)('$resource: $operation', (operation) => {
	it.each(needed)(
		'shows for $wait the field that it needs, and no other',
		({ wait, fields, menu }) => {
			const without = shownFor({ ...operation, wait: '' });

			const shown = shownFor({ ...operation, wait });

			expect(shown.filter((name) => !without.includes(name))).toEqual(fields);
			expect(without.filter((name) => !shown.includes(name))).toEqual([]);
			expect(offeredFor({ ...operation, wait }, 'waiting')).toEqual(menu);
		},
	);

	it('offers these ways and no others', () => {
		const [{ options = [] }] = description.properties.filter(
			(field) =>
				field.name === 'wait' &&
				NodeHelpers.displayParameter({ ...operation, wait: '' }, field, node, description),
		);
		expect(options.map((option) => 'value' in option && option.value)).toEqual(
			needed.map(({ wait }) => wait),
		);
	});
});
