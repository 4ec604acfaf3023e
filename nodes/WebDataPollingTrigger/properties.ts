import { cronNodeOptions, type INodeProperties } from 'n8n-workflow';
import { propertyVisibleWhen } from '../runtime/form/field';
import { subtitleBy } from '../WebData/describe';
import { watches } from './poll';
import { triggerForm } from './watch';

/** The choice of what to watch. By this label n8n lists its options as actions, not the events of monitors. */
const choice: INodeProperties = {
	displayName: 'Trigger On',
	name: 'watch',
	type: 'options',
	noDataExpression: true,
	default: 'search',
	options: watches.map(({ name, value, description, action }) => ({
		name,
		value,
		description,
		action,
	})),
	description: 'What to poll for news and changes',
};

/**
 * The schedule. n8n adds a field for poll times, every minute by default, before all others. A
 * field with the same name and type overrides that default, since the last one wins; the editor
 * shows it among the node's settings, so that the parameters have one.
 */
const schedule: INodeProperties = {
	displayName: 'Poll Times',
	name: 'pollTimes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Poll Time' },
	placeholder: 'Add Poll Time',
	isNodeSetting: true,
	default: { item: [{ mode: 'everyDay', hour: 9, minute: 0 }] },
	description: 'When to check; same as under Parameters',
	options: cronNodeOptions,
};

const fields = watches.flatMap(({ fields: own, value }) =>
	own.map((field) => propertyVisibleWhen({ watch: [value] }, field)),
);

/** The trigger's parameters. The build replaces this module by its values: loading computes nothing. */
export const properties: INodeProperties[] = [
	choice,
	...fields.filter(({ name }) => name !== 'options'),
	...triggerForm.fields,
	...fields.filter(({ name }) => name === 'options'),
	schedule,
];

/** The text below the trigger: what it watches. */
export const subtitle = subtitleBy(
	Object.fromEntries(watches.map(({ name, value }) => [value, name])),
	'$parameter["watch"]',
);
