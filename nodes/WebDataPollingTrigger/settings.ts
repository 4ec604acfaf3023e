import type { z } from 'zod/v3';
import { ValidationFailure, stringSchema } from '../runtime/form/schema';
import { boolean, integer, list, oneOf, withDefault } from '../runtime/form/field';
import { object, propertiesOf, schemaOf, visibleWhen } from '../runtime/form/form';

const defaultMemory = 10_000;
const defaultNewest = 5;

/** The watches that repeat a search. */
const searches = { watch: ['search', 'paper'] };

/** A parameter's name, or a glob of names. A glob for all would merge all pages of a site. */
const parameterPattern = stringSchema({
	max: 100,
	normalize: (value) =>
		value.replaceAll('*', '').trim() === ''
			? new ValidationFailure(`must not have an entry with only *`)
			: value.trim().toLowerCase(),
});

/** Options to compare the results of a search. */
const searchOptions = {
	compareFields: withDefault(
		list({
			displayName: 'Fields to Compare',
			entry: stringSchema(),
			placeholder: 'e.g. title, description',
			description:
				'Comma-separated fields of a result. If one has changed since the last check, the result is returned again.',
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
				'Comma-separated query parameters to ignore when comparing URLs, * for any characters: up to 50, of up to 100 characters each. Common tracking parameters are always ignored.',
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
				'Max number of results to remember, 1,000 to 50,000; the least recently returned are forgotten first',
		}),
		defaultMemory,
	),
	onlySinceLastCheck: withDefault(
		boolean({
			displayName: 'Only Since Last Check',
			default: true,
			description:
				'Whether to search only for results since the day before the last check; results without a date or indexed late may be missed',
		}),
		false,
	),
};

/** Fields that few users set. */
const triggerOptions = object(
	{ displayName: 'Trigger Options', placeholder: 'Add Option', default: {} },
	{
		errorsInRow: withDefault(
			integer({
				displayName: 'Errors in a Row',
				min: 1,
				max: 100,
				default: 3,
				description:
					'Number of consecutive failed checks, 1 to 100, after which a failure is an error in n8n; earlier ones are only logged. 1 if not set. A failed check stores nothing, so the next one finds what it missed.',
			}),
			1,
		),
		...visibleWhen({ '/watch': searches.watch }, searchOptions),
	},
);

const allResults = { name: 'All Results', value: 'all' } as const;

const ignoreExisting = {
	name: 'Ignore Existing',
	value: 'none',
	description: 'Remembers what exists and triggers only on later changes',
} as const;

const firstCheck = oneOf({
	displayName: 'First Check',
	default: 'none',
	options: [allResults, ignoreExisting, { name: 'Newest Results', value: 'newest' }],
	displayOptions: { show: searches },
	description:
		'Which results of the first check start the workflow; also applies to the first check after the search was changed',
});

/** The same for watches whose results have no order. */
const firstCheckOfOthers = propertiesOf({
	firstCheck: oneOf({
		displayName: 'First Check',
		default: 'none',
		options: [allResults, ignoreExisting],
		displayOptions: { show: { watch: ['monitor', 'page'] } },
		description:
			'Whether what exists at the first check starts the workflow; also applies to what is added to the watch later',
	}),
});

const fields = {
	firstCheck: withDefault({ ...firstCheck, extraProperties: firstCheckOfOthers }, 'none'),
	newestCount: withDefault(
		integer({
			displayName: 'Newest Results',
			min: 1,
			default: defaultNewest,
			displayOptions: { show: { ...searches, firstCheck: ['newest'] } },
			description:
				'Number of results to return in the first check; the top results if they have no date',
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
			description: 'How often the workflow runs if a check returns several new results',
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
