import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { fromModel } from '../tool/tool';
import { fromJson } from '../values/json';
import { fieldsNamed, isRecord, rememberLast } from '../values/record';
import { boolean, integer, list, number, oneOf, string, withDefault } from './field';
import { form, object } from './form';
import { stringSchema } from './schema';

/** Longest time for retries of a request, in seconds: a day. */
const longestRetryTime = 86_400;

const passageQueryText =
	'2 to 6 words that the text probably has: of a long result, its parts with them return; free';

/** The setting that a tool's model fills in. */
const parameters = {
	passageQuery: string('Passage Query', passageQueryText, {
		max: 500,
		placeholder: 'e.g. berth price winter',
		displayOptions: { show: { '@tool': [true] } },
		default: fromModel('passageQuery', passageQueryText, ''),
	}),
};

/** Settings in the collection Options. */
const options = {
	downloadFiles: withDefault(
		boolean(
			'Download Files',
			'Whether to download screenshots, PDFs, audio and video, whose links expire, up to 100 MB each',
		),
	),
	maxCreditsPerExecution: number(
		'Max Credits per Execution',
		'Max number of credits of this node per execution, as responses report them',
		{ min: 0, unit: 'credits', default: 100 },
	),
	maxRetryTime: withDefault(
		integer(
			'Max Retry Time',
			'Max total time for retries, in seconds, up to 86,400; 0 for no retries',
			{ min: 0, max: longestRetryTime, unit: 'seconds', default: 600 },
		),
	),
	maxWait: withDefault(
		number('Max Wait', 'Max time to wait for the job, in minutes; then it is cancelled', {
			min: 0,
			unit: 'minutes',
			default: 30,
		}),
	),
	onlyChanged: withDefault(
		boolean(
			'Only if Changed',
			'Whether to return only new and changed pages; requires the format Change Tracking',
		),
	),
	output: withDefault(
		oneOf('Output', 'What to return as items', {
			default: 'simplified',
			options: {
				raw: ['Raw', 'The unmodified response'],
				fields: ['Selected Fields', 'Only the fields you choose'],
				simplified: ['Simplified', 'Commonly used fields'],
			},
		}),
	),
	outputFields: withDefault(
		list('Fields', 'Comma-separated fields of each item; a dot leads to a nested field', {
			entry: stringSchema(),
			placeholder: 'e.g. title, url, metadata.language',
			displayOptions: { show: { output: ['fields'] } },
		}),
	),
};

const group = object('Options', undefined, { placeholder: 'Add Option', default: {} }, options);
const { fields, schema } = form({ ...parameters, options: withDefault(group) });
const [optionsField] = fields.filter(({ name }) => name === 'options');

/** Name of a setting in stored workflows, except `outputFields`, which `output` has. */
export type SettingName = Exclude<keyof typeof options, 'outputFields'> | keyof typeof parameters;

/** The named settings of an operation in the editor. */
export function settingsFields(...names: SettingName[]): INodeProperties[] {
	const isNamed = ({ name }: { name: string }) =>
		names.some((each) => each === name || (each === 'output' && name === 'outputFields'));
	const inGroup = (optionsField.options ?? []).filter(isNamed);
	return [
		...(inGroup.length > 0 ? [{ ...optionsField, options: inGroup }] : []),
		...fields.filter(isNamed),
	];
}

/** Schema of the stored settings, which flattens the collection. */
export const settingsSchema = schema.transform(({ options: grouped, ...single }) => ({
	...single,
	...grouped,
}));

/** The node's own settings for one item. `maxWait` is in minutes. */
export type Settings = z.output<typeof settingsSchema>;

/** Validates the settings among a node's parameters, without those that an earlier version of the node had. */
export const readSettings = rememberLast([...Object.keys(parameters), 'options'], (found) => {
	const stored = fromJson(found.options);
	const known = isRecord(stored) ? fieldsNamed(stored, ...Object.keys(options)) : stored;
	return settingsSchema.safeParse({ ...found, options: known });
});
