import type { INodeProperties } from 'n8n-workflow';
import { propertyVisibleWhen } from '../runtime/form/field';
import { monitorWatch } from './monitorWatch';
import { pageWatch } from './pageWatch';
import { paperWatch, webSearchWatch } from './searchWatch';
import type { Watch } from './watch';

/** Everything that the trigger can poll. */
export const watches: Watch[] = [
	monitorWatch,
	pageWatch,
	paperWatch,
	webSearchWatch,
];

/** Removes the estimate, which cannot stop a trigger. */
const withoutEstimate = (field: INodeProperties): INodeProperties =>
	field.name === 'limits'
		? { ...field, options: field.options?.filter(({ name }) => name !== 'estimateOnly') }
		: field;

const shown = ({ fields, value }: Watch): INodeProperties[] =>
	fields.map(withoutEstimate).map((field) => propertyVisibleWhen({ watch: [value] }, field));

/**
 * The choice of what to watch, with all fields of each. n8n lists its options as actions by its
 * label; of a field with another label, it would list the events of monitors instead.
 */
export const watchFields: INodeProperties[] = [
	{
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
	},
	...watches.flatMap(shown),
];
