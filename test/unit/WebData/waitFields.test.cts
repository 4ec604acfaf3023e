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
	{ wait: 'none', offered: [] },
	{ wait: 'poll', offered: ['maxWait'] },
];

it('waits for jobs of three resources', () => {
	expect(waiting.map(({ resource }) => resource)).toEqual(['crawl', 'batch', 'agent']);
});

describe.each(waiting)('$resource: $operation', (operation) => {
	it.each(needed)(
		'offers for $wait the option that it needs, and no other',
		({ wait, offered }) => {
			const always = offeredFor({ ...operation, wait: '' }, 'options');

			const shown = offeredFor({ ...operation, wait }, 'options');

			expect(shown.filter((name) => !always.includes(name))).toEqual(offered);
			expect(always.filter((name) => !shown.includes(name))).toEqual([]);
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
