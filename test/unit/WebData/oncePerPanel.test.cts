import type { INodeProperties } from 'n8n-workflow';
import { resources } from '../../../nodes/WebData/resources';
import { withInner } from './propertyEntries.cjs';

const once = ['Location', 'Threat Protection', 'Time Filter', 'Timeout'];

/** What stands more than once in a panel. */
const twiceIn = (fields: INodeProperties[]) => {
	const names = fields.flatMap(withInner).map(({ displayName }) => displayName);
	return once.filter((name) => names.filter((each) => each === name).length > 1);
};

const panels = resources.flatMap(({ value, operations }) =>
	operations.map(({ value: operation, fields }) => ({ name: `${value}: ${operation}`, fields })),
);

it.each(panels)('$name has each of them once at the most', ({ fields }) => {
	expect(twiceIn(fields)).toEqual([]);
});

it('finds what is twice in a panel, in a group too', () => {
	const timeout = { displayName: 'Timeout', name: 'timeout', type: 'number', default: 1 } as const;
	const group: INodeProperties = {
		...timeout,
		displayName: 'Scrape Options',
		type: 'collection',
		options: [timeout],
	};
	expect(twiceIn([timeout, group])).toEqual(['Timeout']);
});
