import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { objectSchema, stringSchema } from './schema';
import { boolean, guard, integer, list, number, oneOf, withDefault, type Field } from './field';
import { blanksOf, form, object, schemasOf } from './form';
import { resultSettings } from './resultSettings';
import { fieldOf, fieldsNamed, type JsonRecord } from '../values/record';

const defaultBackOff = 30;
const defaultRetryTime = 600;
const defaultAttempts = 5;

/** Bounds of retries; times in seconds. */
const longestBackOff = 3_600;
const longestRetryTime = 86_400;
const mostAttempts = 100;

/** Longest result of a tool in characters; about 10,000 tokens. */
export const defaultToolResult = 40_000;

const defaultWait = 30;

/** In MB; n8n's memory holds a few of them at once. */
const defaultFileSize = 100;
const largestFile = 2_000;

/** Limits of the official client for a large document. */
const defaultDocumentRepeats = 5;
const defaultDocumentTime = 20;

const whileWaiting = { displayOptions: { show: { wait: ['poll', 'suspend'] } } };
const onlyWith = (wait: 'poll' | 'suspend') => ({ displayOptions: { show: { '/wait': [wait] } } });

/** The setting that requires signed webhook events; also of the trigger. */
export const requireSignature = (shown: Pick<INodeProperties, 'displayOptions'> = {}) =>
	withDefault(
		boolean({
			displayName: 'Require Signature',
			default: true,
			...shown,
			description:
				"Whether to reject webhook events without a signature if the credential has a 'Webhook Secret'. Disable for a server that does not sign. Invalid signatures are always rejected.",
		}),
		true,
	);

/** Contents of the output items. Lengths in characters, sizes in MB. */
const outputOptions = {
	downloadFiles: withDefault(
		boolean({
			displayName: 'Download Files',
			default: true,
			description:
				'Whether to download screenshots, PDFs, audio, video and base64 content as binary data; links expire within hours',
		}),
		false,
	),
	keepFields: withDefault(
		list({
			displayName: 'Fields to Keep',
			entry: stringSchema(),
			placeholder: 'e.g. title, url, markdown',
			description:
				"Comma-separated fields of each item; all if empty. Saves tokens in an AI model's context.",
		}),
		[],
	),
	markUntrusted: boolean({
		displayName: 'Mark as Untrusted',
		default: true,
		description:
			'Whether to wrap web content in delimiters that mark it as data, and remove invisible characters, embedded data and tracking images, and from HTML formats also comments and hidden elements. By default, enabled only for AI Agent tools.',
	}),
	maxFileSize: withDefault(
		integer({
			displayName: 'Max File Size',
			min: 1,
			max: largestFile,
			unit: 'MB',
			default: defaultFileSize,
			description:
				'Max size of a downloaded file, in MB, up to 2,000; only the link of a larger file is returned. A download uses about twice the file size in memory.',
		}),
		defaultFileSize,
	),
	maxToolResultLength: withDefault(
		integer({
			displayName: 'Max Tool Result Length',
			min: 1000,
			unit: 'characters',
			default: defaultToolResult,
			displayOptions: { show: { '@tool': [true] } },
			description:
				'Max number of characters per tool result; a token is about 4 characters. Longer results are truncated and marked.',
		}),
		defaultToolResult,
	),
	jsonOutput: oneOf({
		displayName: 'JSON Output',
		default: 'fields',
		options: [
			{
				name: 'Fields of the Item',
				value: 'fields',
				description: 'Extracted fields are at the top of the item',
			},
			{
				name: 'One Item per List Entry',
				value: 'entries',
				description: 'Splits the data if it is a list or contains a single list',
			},
			{
				name: 'Under JSON',
				value: 'nested',
				description: 'Extracted fields stay together in one field',
			},
		],
		description:
			'Where to return data of the format JSON. If not set and JSON is the only format: one item per entry if the example is a list, otherwise fields of the item.',
	}),
	onlyChanged: withDefault(
		boolean({
			displayName: 'Only if Changed',
			default: true,
			description:
				'Whether to return an item only if the page has changed since the last scrape, or was not scraped before; requires the format Change Tracking',
		}),
		false,
	),
	maxMarkdownLength: integer({
		displayName: 'Max Markdown Length',
		min: 1,
		unit: 'characters',
		default: 10_000,
		description:
			"Truncates markdown to this many characters. Saves tokens in an AI model's context.",
	}),
	simplify: withDefault(
		boolean({
			displayName: 'Simplify',
			description:
				'Whether to return a simplified version of the response instead of the raw data, with only the common metadata of a page. Enabled by default.',
		}),
		true,
	),
	onPageError: withDefault(
		oneOf({
			displayName: 'On Page Error',
			default: 'item',
			options: [
				{
					name: 'Return the Page',
					value: 'item',
					description: "The item's statusCode contains the error",
				},
				{ name: 'Throw an Error', value: 'error' },
			],
			description: 'What to do when the page returns an error such as 404; charged in both cases',
		}),
		'item',
	),
	onMissingResults: withDefault(
		oneOf({
			displayName: 'On Missing Results',
			default: 'error',
			options: [
				{
					name: 'Return Partial Results',
					value: 'partial',
					description: 'Marks each item as partial under request.partial',
				},
				{ name: 'Throw an Error', value: 'error' },
			],
			description: 'What to do when some results of a job cannot be fetched',
		}),
		'error',
	),
};

/** Settings for waiting for a job. */
const waiting = {
	cancelJob: withDefault(
		boolean({
			displayName: 'Cancel Job',
			default: true,
			...onlyWith('poll'),
			description: 'Whether to cancel the job on timeout or when the execution is stopped',
		}),
		true,
	),
	requireSignature: requireSignature(onlyWith('suspend')),
	onTimeout: withDefault(
		oneOf({
			displayName: 'On Timeout',
			default: 'error',
			options: [
				{ name: 'Return Unfinished Job', value: 'item' },
				{ name: 'Throw an Error', value: 'error' },
			],
			...onlyWith('poll'),
			description: "What to do if the job does not finish within 'Max Wait'",
		}),
		'error',
	),
};

/** Settings for retries. Times in seconds, except `maxDocumentTime` in minutes. */
const retries = {
	onUnsupportedField: withDefault(
		oneOf({
			displayName: 'On Unsupported Field',
			default: 'error',
			options: [
				{
					name: 'Omit It and Show a Notice',
					value: 'omit',
					description:
						'Retries once without the field; fields that limit costs or protect data remain an error',
				},
				{ name: 'Throw an Error', value: 'error' },
			],
			description: "What to do if the server's version does not support a field of the request",
		}),
		'error',
	),
	maxBackoff: withDefault(
		integer({
			displayName: 'Max Backoff',
			min: 1,
			max: longestBackOff,
			unit: 'seconds',
			default: defaultBackOff,
			description:
				'Max delay before a retry if the response has no Retry-After, in seconds, 1 to 3,600',
		}),
		defaultBackOff,
	),
	maxDocumentRetries: withDefault(
		integer({
			displayName: 'Max Retries for Large Documents',
			min: 0,
			max: mostAttempts,
			default: defaultDocumentRepeats,
			description:
				'Max number of retries, 0 to 100, for a document that is still being processed; these retries are free',
		}),
		defaultDocumentRepeats,
	),
	maxRetryTime: withDefault(
		integer({
			displayName: 'Max Retry Time',
			min: 0,
			max: longestRetryTime,
			unit: 'seconds',
			default: defaultRetryTime,
			description: 'Max total time for retries of a request, in seconds, up to 86,400 (a day)',
		}),
		defaultRetryTime,
	),
	maxDocumentTime: withDefault(
		number({
			displayName: 'Max Time for Large Documents',
			min: 0,
			unit: 'minutes',
			default: defaultDocumentTime,
			description:
				'Max total time for retries of a document that is still being processed, in minutes',
		}),
		defaultDocumentTime,
	),
	maxTries: withDefault(
		integer({
			displayName: 'Max Tries',
			min: 1,
			max: mostAttempts,
			default: defaultAttempts,
			description:
				"Max number of attempts per request, 1 to 100. 429 responses with Retry-After do not count. Requests that may be charged twice are retried only if 'Retry Unclear Responses' or 'Retry Unclear Starts' allows it.",
		}),
		defaultAttempts,
	),
	retryUnclearResponses: withDefault(
		boolean({
			displayName: 'Retry Unclear Responses',
			default: true,
			description:
				'Whether to retry after retryable errors that may have been charged: 502, 504, an HTML error page with 408 or 500, a failed map. A notice shows the number of such retries.',
		}),
		true,
	),
	reuseJob: withDefault(
		guard(
			oneOf({
				displayName: 'Reuse Recent Job',
				default: 'error',
				options: [
					{ name: 'Off', value: 'off', description: 'Always starts a job' },
					{
						name: 'On; if Unsure, Start New Job',
						value: 'startNew',
						description: 'Starts a job even if an existing one may match',
					},
					{
						name: 'On; if Unsure, Reuse Job',
						value: 'reuse',
						description:
							'Reuses the newest job with the same first URL or prompt, which may have other options',
					},
					{
						name: 'On; if Unsure, Throw an Error',
						value: 'error',
						description: 'Returns the job ID and starts nothing',
					},
				],
				description:
					'Whether to reuse a job of the last 24 hours with the same request, for example after a restart or a retry, instead of paying again. If the node does not remember the job, the server may not return enough to be sure.',
			}),
		),
		'off',
	),
	retryUnclearStarts: withDefault(
		boolean({
			displayName: 'Retry Unclear Starts',
			description:
				'Whether to start a job again if the response was lost and the server does not list the job; it may run and be charged twice',
		}),
		false,
	),
};

/** Limits on credits and concurrent requests. */
const limits = {
	estimateOnly: withDefault(
		boolean({
			displayName: 'Estimate Only',
			default: true,
			description:
				'Whether to return the requests, their min and max credits and the reasons, without sending them. Prices of data tools are fetched for free.',
		}),
		false,
	),
	maxCreditsPerDay: number({
		displayName: 'Max Credits per Day',
		min: 0,
		unit: 'credits',
		default: 100,
		description:
			"Max number of credits per day, in the workflow's timezone, for all nodes of this workflow with this option. Requests that may exceed it are not sent and return an error.",
	}),
	maxCreditsPerExecution: number({
		displayName: 'Max Credits per Execution',
		min: 0,
		unit: 'credits',
		default: 100,
		description:
			'Max number of credits for this node per execution. Requests that may exceed it are not sent and return an error.',
	}),
	maxConcurrency: integer({
		displayName: 'Max Concurrency',
		min: 1,
		max: 100,
		default: 10,
		description:
			"Max number of items to process at once, 1 to 100. If not set, starts at 5 and adapts to the server up to 100, or up to 10 if 'On Error' stops the workflow, or 5 if each waits for a job.",
	}),
};

/** Properties of an operation that decide which settings it shows. */
export interface SettingsShown {
	/** Its response is charged. */
	responds?: boolean;
	/** Its results are documents. */
	documents?: boolean;
	/** Its results may have files. */
	files?: boolean;
	/** It fetches the results of a job page by page. */
	jobResults?: boolean;
	/** The service may take long for a large document. */
	largeDocuments?: boolean;
	/** It scrapes a page, which may be an HTTP error. */
	page?: boolean;
	/** It starts jobs that are charged. */
	starts?: boolean;
	/** It may reuse a job that was started before. */
	reuses?: boolean;
	/**
	 * Its request may have fields that servers of another version do not support; true by default for
	 * operations that respond or start.
	 */
	sends?: boolean;
}

/** Creates a named group of settings. */
const group = <Fields extends Record<string, Field<unknown>>>(
	displayName: string,
	description: string,
	fields: Fields,
	shown: Pick<INodeProperties, 'displayOptions'> = {},
) => object({ displayName, placeholder: 'Add Option', default: {}, description, ...shown }, fields);

const groups = {
	output: group('Output Options', 'What the output items contain', outputOptions),
	waiting: group('Waiting', 'How to wait for the job', waiting, whileWaiting),
	retries: group('Retries', 'How to retry requests', retries),
	limits: group('Limits', 'Limits on credits and concurrency', limits),
};

/** Longest wait for a job, in minutes. */
const maxWait = number({
	displayName: 'Max Wait',
	min: 0,
	unit: 'minutes',
	default: defaultWait,
	...whileWaiting,
	description: 'Max time to wait for the job, in minutes; there is no upper limit',
});

const waitSettings = form({ maxWait, waiting: groups.waiting }).fields;

/** The fields that choose and configure how to wait for a job. */
export const waitFields: INodeProperties[] = [
	...form({ wait: resultSettings.wait }).fields,
	...waitSettings,
];

/** The settings of an operation that always polls its jobs. */
export const pollSettingsFields: INodeProperties[] = waitSettings.map(({ options, ...field }) => ({
	...field,
	displayOptions: {},
	...(options && {
		options: options.flatMap((option) =>
			'type' in option && option.name !== 'requireSignature'
				? [{ ...option, displayOptions: {} }]
				: [],
		),
	}),
}));

/** The longest wait alone, for a trigger. */
export const [maxWaitField] = pollSettingsFields;

/** The settings that only some operations have, by the property of the operation. */
const settingsOf: Record<keyof SettingsShown, string[]> = {
	responds: ['retryUnclearResponses'],
	documents: ['jsonOutput', 'maxMarkdownLength', 'simplify'],
	files: ['downloadFiles', 'maxFileSize'],
	jobResults: ['onMissingResults'],
	largeDocuments: ['maxDocumentRetries', 'maxDocumentTime'],
	page: ['onPageError', 'onlyChanged'],
	starts: ['retryUnclearStarts'],
	reuses: ['reuseJob'],
	sends: ['onUnsupportedField'],
};

/** The groups of settings of an operation: its output, retries and limits. */
export function settingsFields(shown: SettingsShown = {}): INodeProperties[] {
	const sends = shown.sends ?? (shown.responds === true || shown.starts === true);
	const does = { ...shown, sends };
	const hidden = Object.entries(settingsOf).flatMap(([name, settings]) =>
		fieldOf(does, name) === true ? [] : settings,
	);
	const { output: outputOptions, retries, limits } = groups;
	return form({ outputOptions, retries, limits }).fields.map(({ options = [], ...rest }) => ({
		...rest,
		options: options.filter(({ name }) => !hidden.includes(name)),
	}));
}

const ungrouped = { ...resultSettings, maxWait };

/** Schema of the stored settings, which flattens the groups. */
export const settingsSchema = objectSchema(
	{
		...schemasOf(resultSettings),
		maxWait: maxWait.valueSchema.default(defaultWait),
		outputOptions: groups.output.valueSchema.default({}),
		waiting: groups.waiting.valueSchema.default({}),
		retries: groups.retries.valueSchema.default({}),
		limits: groups.limits.valueSchema.default({}),
	},
	undefined,
	blanksOf(ungrouped),
).transform(({ outputOptions, waiting: job, retries: again, limits: most, ...single }) => ({
	...single,
	...outputOptions,
	...job,
	...again,
	...most,
}));

/** The node's own settings for one item. `maxWait` is in minutes. */
export type Settings = z.output<typeof settingsSchema>;

/** The settings among a node's parameters, for `settingsSchema`. */
export const settingsIn = (values: Readonly<Record<string, unknown>>): JsonRecord =>
	fieldsNamed(values, ...Object.keys(ungrouped), 'outputOptions', 'waiting', 'retries', 'limits');

/** Creates a function that parses the settings of one item after the other. Settings equal to those of the item before are not parsed again. */
export function settingsReader() {
	const read = (given: ReturnType<typeof settingsIn>) => ({
		parts: Object.values(given),
		result: settingsSchema.safeParse(given),
	});
	let last: ReturnType<typeof read> | undefined;
	return (values: Readonly<Record<string, unknown>>) => {
		const given = settingsIn(values);
		const isSame = Object.values(given).every((part, index) => part === last?.parts[index]);
		last = last && isSame ? last : read(given);
		return last.result;
	};
}
