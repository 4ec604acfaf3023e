import type { z } from 'zod/v3';
import { ValidationFailure, stringSchema } from '../runtime/form/schema';
import { boolean, integer, list, oneOf, withDefault } from '../runtime/form/field';
import { object, propertiesOf, schemaOf } from '../runtime/form/form';

const defaultMemory = 10_000;
const defaultNewest = 5;

/** A parameter's name, or a glob of names. A glob for all would merge all pages of a site. */
const parameterPattern = stringSchema({
	max: 100,
	normalize: (value) =>
		value.replaceAll('*', '').trim() === ''
			? new ValidationFailure(`must have more than * in every entry`)
			: value.trim().toLowerCase(),
});

/** Fields that few users set. */
const triggerOptions = object(
	{ displayName: 'Trigger Options', placeholder: 'Add Option', default: {} },
	{
		compareFields: withDefault(
			list({
				displayName: 'Fields to Compare',
				entry: stringSchema(),
				placeholder: 'e.g. title, description',
				description:
					'Comma-separated fields of a result. When one of them has changed since it was last found, the trigger fires again.',
			}),
			[],
		),
		ignoreQueryParameters: withDefault(
			list({
				displayName: 'Ignore Query Parameters',
				entry: parameterPattern,
				max: 50,
				placeholder: 'e.g. session*, sort',
				description:
					'Comma-separated query parameters that make no other page, * for any characters: up to 50, of up to 100 characters each. Addresses that differ by these alone are one result; the usual tracking parameters are left out anyway.',
			}),
			[],
		),
		maxRemembered: withDefault(
			integer({
				displayName: 'Max Remembered Results',
				// More than the largest response, whose results would otherwise be evicted before
				// the next check.
				min: 1_000,
				// The limit of n8n's static data.
				max: 50_000,
				default: defaultMemory,
				description:
					'How many results are remembered, 1,000 to 50,000; those not found for the longest time are forgotten first',
			}),
			defaultMemory,
		),
		onlySinceLastCheck: withDefault(
			boolean({
				displayName: 'Only Since Last Check',
				default: true,
				description:
					'Whether to ask only for results dated since the day before the last check; what has no date, or is found late, may be missed',
			}),
			false,
		),
	},
);

const fields = {
	firstCheck: withDefault(
		oneOf({
			displayName: 'First Check',
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
		}),
		'nothing',
	),
	newestCount: withDefault(
		integer({
			displayName: 'Newest Results',
			min: 1,
			default: defaultNewest,
			displayOptions: { show: { firstCheck: ['newest'] } },
			description:
				'How many results to fire for at the first check; the best ones where results have no date',
		}),
		defaultNewest,
	),
	executions: withDefault(
		oneOf({
			displayName: 'Executions',
			default: 'one',
			options: [
				{ name: 'One for All New Results', value: 'one' },
				{ name: 'One per New Result', value: 'each' },
			],
			description: 'How often the workflow runs when a check finds several new results',
		}),
		'one',
	),
	triggerOptions: { ...triggerOptions, schema: triggerOptions.valueSchema.default({}) },
};

/** The parameters that decide how the trigger fires. */
export const triggerFields = propertiesOf(fields);

/** Schema of `triggerFields`, with defaults. */
export const triggerSchema = schemaOf(fields).transform(
	({ triggerOptions: chosen, ...settings }) => ({ ...settings, ...chosen }),
);

/** The trigger's settings. */
export type TriggerSettings = z.output<typeof triggerSchema>;
