import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { fromModel } from '../values/tool';
import { fromJson } from '../values/json';
import { fieldsNamed, isRecord, type JsonRecord } from '../values/record';
import { boolean, integer, list, number, oneOf, onlyFor, string, withDefault } from './field';
import { blanksOf, form, object, schemasOf } from './form';
import { objectSchema, stringSchema } from './schema';

/** Longest time for retries of a request, in seconds: a day. */
const longestRetryTime = 86_400;

const passageQueryText =
	'What to find out, in likely terms: of a long text, the matching parts are returned; free';

/** Settings with a parameter of their own, in the order of the editor. */
const parameters = {
	wait: withDefault(
		oneOf({
			displayName: 'Wait for Result',
			default: 'poll',
			options: [
				{ name: 'Do Not Wait', value: 'none', description: 'Returns the job ID immediately' },
				{
					name: 'Poll Until Finished',
					value: 'poll',
					description: 'Checks the job status until it finishes',
				},
			],
			description: 'How to wait for the result, which may take minutes or hours',
		}),
		'poll',
	),
	passageQuery: string({
		displayName: 'Passage Query',
		max: 500,
		placeholder: 'e.g. What does a berth cost in winter?',
		displayOptions: { show: { '@tool': [true] } },
		default: fromModel('passageQuery', passageQueryText, ''),
		description: passageQueryText,
	}),
	output: withDefault(
		oneOf({
			displayName: 'Output',
			default: 'simplified',
			options: [
				{
					name: 'Raw',
					value: 'raw',
					description: 'One item with the unmodified response',
				},
				{
					name: 'Selected Fields',
					value: 'fields',
					description: 'One item per result with only the fields you choose',
				},
				{
					name: 'Simplified',
					value: 'simplified',
					description: 'One item per result with the commonly used fields',
				},
			],
			description: 'What to return as items',
		}),
		'simplified',
	),
	outputFields: withDefault(
		onlyFor(
			'output',
			'fields',
			list({
				displayName: 'Fields',
				entry: stringSchema(),
				placeholder: 'e.g. title, url, metadata.language',
				description: 'Comma-separated fields of each item; a dot leads to a nested field',
			}),
		),
		[],
	),
};

/** Settings in the collection Options. */
const options = {
	downloadFiles: withDefault(
		boolean({
			displayName: 'Download Files',
			description:
				'Whether to download screenshots, PDFs, audio and video, whose links expire, up to 100 MB each',
		}),
		false,
	),
	maxCreditsPerExecution: number({
		displayName: 'Max Credits per Execution',
		min: 0,
		unit: 'credits',
		default: 100,
		description:
			'Max number of credits of this node per execution; stops once the responses report that many',
	}),
	maxRetryTime: withDefault(
		integer({
			displayName: 'Max Retry Time',
			min: 0,
			max: longestRetryTime,
			unit: 'seconds',
			default: 600,
			description:
				'Max total time for retries of a request, in seconds, up to 86,400 (a day); 0 for no retries',
		}),
		600,
	),
	maxWait: withDefault(
		number({
			displayName: 'Max Wait',
			min: 0,
			unit: 'minutes',
			default: 30,
			description:
				'Max time to wait for the job, in minutes, of any length; then the job is cancelled',
		}),
		30,
	),
	onlyChanged: withDefault(
		boolean({
			displayName: 'Only if Changed',
			description:
				'Whether to return only new and changed pages; requires the format Change Tracking',
		}),
		false,
	),
};

const group = object({ displayName: 'Options', placeholder: 'Add Option', default: {} }, options);

const [optionsField] = form({ options: group }).fields;
const parameterFields = form(parameters).fields;

/** Name of a setting in stored workflows, except `outputFields`, which `output` has. */
export type SettingName = Exclude<keyof typeof parameters, 'outputFields'> | keyof typeof options;

/** The named settings of an operation in the editor. */
export function settingsFields(...names: SettingName[]): INodeProperties[] {
	const isNamed = ({ name }: { name: string }) =>
		names.some((each) => each === name || (each === 'output' && name === 'outputFields'));
	const inGroup = (optionsField.options ?? []).filter(isNamed).map((option) => ({
		...option,
		...(option.name === 'maxWait' &&
			names.includes('wait') && { displayOptions: { show: { '/wait': ['poll'] } } }),
	}));
	return [
		...parameterFields.filter(isNamed),
		...(inGroup.length > 0 ? [{ ...optionsField, options: inGroup }] : []),
	];
}

/** Schema of the stored settings, which flattens the collection. */
export const settingsSchema = objectSchema(
	{ ...schemasOf(parameters), options: group.valueSchema.default({}) },
	undefined,
	blanksOf(parameters),
).transform(({ options: grouped, ...single }) => ({ ...single, ...grouped }));

/** The node's own settings for one item. `maxWait` is in minutes. */
export type Settings = z.output<typeof settingsSchema>;

/** Removes settings that an earlier version of the node had. */
function known(stored: unknown): unknown {
	const given = typeof stored === 'string' ? (fromJson(stored) ?? stored) : stored;
	return isRecord(given) ? fieldsNamed(given, ...Object.keys(options)) : given;
}

/** The settings among a node's parameters, for `settingsSchema`. */
export function settingsIn(values: Readonly<JsonRecord>): JsonRecord {
	const found = fieldsNamed(values, ...Object.keys(parameters), 'options');
	return 'options' in found ? { ...found, options: known(found.options) } : found;
}
