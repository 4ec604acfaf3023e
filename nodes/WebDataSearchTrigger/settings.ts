import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { choice, fields, flag, list, Refusal, text, wholeNumber } from '../runtime/contract';

const usualMemory = 10_000;
const usualNewest = 5;

/** More than the longest answer has results, or some would be forgotten before they are seen again; and what n8n's static data bears. */
const memoryLimits = { min: 1_000, max: 50_000 };

/** When the trigger fires, and how. */
export const triggerFields: INodeProperties[] = [
	{
		displayName: 'First Check',
		name: 'firstCheck',
		type: 'options',
		default: 'nothing',
		options: [
			{ name: 'Fires for All Results', value: 'all' },
			{
				name: 'Fires for Nothing',
				value: 'nothing',
				description: 'Remembers what is there, and fires for what comes later',
			},
			{ name: 'Fires for the Newest Results', value: 'newest' },
		],
		description:
			'What to do with the results of the first check, when all are new; also of the first one after the search was changed',
	},
	{
		displayName: 'Newest Results',
		name: 'newestCount',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: usualNewest,
		displayOptions: { show: { firstCheck: ['newest'] } },
		description:
			'How many results to fire for at the first check; the best ones where results have no date',
	},
	{
		displayName: 'Executions',
		name: 'executions',
		type: 'options',
		default: 'one',
		options: [
			{ name: 'One for All New Results', value: 'one' },
			{ name: 'One per New Result', value: 'each' },
		],
		description: 'How often the workflow runs when a check finds several new results',
	},
	{
		displayName: 'Trigger Options',
		name: 'triggerOptions',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Fields to Compare',
				name: 'compareFields',
				type: 'string',
				default: '',
				placeholder: 'e.g. title, description',
				description:
					'Comma-separated fields of a result. When one of them has changed since it was last found, the trigger fires again.',
			},
			{
				displayName: 'Ignore Query Parameters',
				name: 'ignoreQueryParameters',
				type: 'string',
				default: '',
				placeholder: 'e.g. session*, sort',
				description:
					'Comma-separated query parameters that make no other page, * for any characters: up to 50, of up to 100 characters each. Addresses that differ by these alone are one result; the usual tracking parameters are left out anyway.',
			},
			{
				displayName: 'Max Remembered Results',
				name: 'maxRemembered',
				type: 'number',
				typeOptions: { minValue: memoryLimits.min, maxValue: memoryLimits.max },
				default: usualMemory,
				description:
					'How many results are remembered, 1,000 to 50,000; those not found for the longest time are forgotten first',
			},
			{
				displayName: 'Only Since Last Check',
				name: 'onlySinceLastCheck',
				type: 'boolean',
				default: true,
				description:
					'Whether to ask only for results dated since the day before the last check; what has no date, or is found late, may be missed',
			},
		],
	},
];

/** A parameter's name, or a glob of names; those of all parameters would make all pages of a site one. */
const parameterPattern = text({
	max: 100,
	mend: (value) =>
		value.replaceAll('*', '').trim() === ''
			? new Refusal(`must have more than * in every entry`)
			: value.trim().toLowerCase(),
});

/** Contract of `triggerFields`, the defaults filled in. */
export const triggerContract = fields({
	firstCheck: choice('all', 'nothing', 'newest').default('nothing'),
	newestCount: wholeNumber({ min: 1 }).default(usualNewest),
	executions: choice('one', 'each').default('one'),
	triggerOptions: fields({
		compareFields: list(text()).default([]),
		ignoreQueryParameters: list(parameterPattern, { max: 50 }).default([]),
		maxRemembered: wholeNumber(memoryLimits).default(usualMemory),
		onlySinceLastCheck: flag().default(false),
	}).default({}),
}).transform(({ triggerOptions, ...settings }) => ({ ...settings, ...triggerOptions }));

/** When the trigger fires, and how. */
export type TriggerSettings = z.output<typeof triggerContract>;
