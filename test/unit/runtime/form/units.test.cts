import type { INodeProperties } from 'n8n-workflow';
import { displayName } from '../../../../nodes/runtime/errors/displayName';
import { integer, number } from '../../../../nodes/runtime/form/field';
import { form } from '../../../../nodes/runtime/form/form';
import { builtNode } from '../../../builtNode.cjs';

const isNumber = (value: object): value is INodeProperties =>
	'type' in value && value.type === 'number';

/** Numbers at any level of a node's description. */
const numbersIn = (value: unknown): INodeProperties[] => {
	if (typeof value !== 'object' || value === null) return [];
	return [...(isNumber(value) ? [value] : []), ...Object.values(value).flatMap(numbersIn)];
};

describe('The label of a number', () => {
	it('shows its unit of time or size', () => {
		const { fields } = form({
			wait: number({ displayName: 'Wait', unit: 'minutes', default: 1 }),
			count: integer({ displayName: 'Pages', unit: 'pages', default: 1 }),
		});
		expect(fields.map((field) => field.displayName)).toEqual(['Wait (Minutes)', 'Pages']);
		expect(displayName(fields, ['wait'])).toBe('Wait');
	});

	it.each(['WebData', 'WebDataPollingTrigger', 'WebDataTrigger'])(
		'shows it in %s wherever the description names one',
		(name) => {
			const unit = /\bin (milliseconds|seconds|minutes|days|runs|MB)\b/i;
			const silent = numbersIn(builtNode(name).description.properties).filter(
				({ description = '', ...field }) =>
					unit.test(description) &&
					!/\b(Milliseconds|Seconds|Minutes|Days|Runs|MB)\)?$/.test(field.displayName),
			);
			expect(silent.map((field) => field.displayName)).toEqual([]);
		},
	);
});
