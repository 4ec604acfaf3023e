import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { objectSchema, stringSchema } from './schema';
import { boolean, guard, integer, list, number, oneOf, withDefault, type Field } from './field';
import { blanksOf, form, object } from './form';
import type { Schema } from './effects';
import { fieldOf, fieldsNamed, type JsonRecord } from '../values/record';

const defaultBackOff = 30;
const defaultRetryTime = 600;
const defaultTries = 5;

/** Bounds of how hard to try: times in seconds. */
const longestBackOff = 3_600;
const longestRetryTime = 86_400;
const mostTries = 100;

/** Longest result of a tool in characters; about 10,000 tokens. */
export const defaultToolResult = 40_000;

const defaultWait = 30;

/** In MB; n8n's memory holds a few of them at once. */
const defaultFileSize = 100;
const largestFile = 2_000;

/** What the official client allows a large document. */
const defaultDocumentRepeats = 5;
const defaultDocumentTime = 20;

const whileWaiting = { displayOptions: { show: { wait: ['poll', 'suspend'] } } };
const onlyWith = (wait: 'poll' | 'suspend') => ({ displayOptions: { show: { '/wait': [wait] } } });

/** Whether what calls the node must be signed; the trigger has it, too. */
export const refuseUnsignedCalls = (shown: Pick<INodeProperties, 'displayOptions'> = {}) =>
	withDefault(
		boolean({
			displayName: 'Refuse Unsigned Calls',
			default: true,
			...shown,
			description:
				"Whether to refuse calls without a signature when the credential has a 'Webhook Secret'. Turn off for a server that does not sign. A wrong signature is refused in any case.",
		}),
		true,
	);

/** What the node's items hold. Lengths in characters, sizes in MB. */
const outputOptions = {
	downloadFiles: withDefault(
		boolean({
			displayName: 'Download Files',
			default: true,
			description:
				'Whether to fetch screenshots, PDFs, audio, video and base64 content as binary data; their links die within hours',
		}),
		false,
	),
	keepFields: withDefault(
		list({
			displayName: 'Fields to Keep',
			entry: stringSchema(),
			placeholder: 'e.g. title, url, markdown',
			description:
				"Comma-separated fields of each item; all when empty. Saves room in an AI model's context.",
		}),
		[],
	),
	markUntrusted: boolean({
		displayName: 'Mark as Untrusted',
		default: true,
		description:
			"Whether to wrap web content in delimiters that mark it as data, and remove invisible characters, embedded data and tracking images, and from HTML formats also comments and hidden elements. On for an AI Agent's tools, off elsewhere, unless set.",
	}),
	maxFileSize: withDefault(
		integer({
			displayName: 'Max File Size',
			min: 1,
			max: largestFile,
			unit: 'MB',
			default: defaultFileSize,
			description:
				'Largest file to download, in MB, up to 2,000; a larger one is named with its link. A file takes about twice its size of memory while it is fetched.',
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
				'Most characters that the AI model gets as the result of one call; about 4 make a token. What is longer is cut, and the cuts are marked.',
		}),
		defaultToolResult,
	),
};

/** What happens while a job is waited for. */
const waiting = {
	cancelJob: withDefault(
		boolean({
			displayName: 'Cancel Remote Job',
			default: true,
			...onlyWith('poll'),
			description:
				'Whether to cancel the job at the service when the longest wait is over or the execution is stopped',
		}),
		true,
	),
	refuseUnsignedCalls: refuseUnsignedCalls(onlyWith('suspend')),
	onDeadline: withDefault(
		oneOf({
			displayName: 'When the Wait Is Over',
			default: 'error',
			options: [
				{ name: 'Return the Unfinished Job', value: 'item' },
				{ name: 'Throw an Error', value: 'error' },
			],
			...onlyWith('poll'),
			description: 'What to do when the job has not finished within the longest wait',
		}),
		'error',
	),
};

/** How often and how long a request is repeated. Times in seconds but `maxDocumentTime` in minutes. */
const retries = {
	unknownFields: withDefault(
		oneOf({
			displayName: 'Fields Unknown to the Server',
			default: 'error',
			options: [
				{
					name: 'Leave Them Out and Say So',
					value: 'leaveOut',
					description:
						'Sends the request once more without them; those that limit costs or protect data remain an error',
				},
				{ name: 'Throw an Error', value: 'error' },
			],
			description:
				'What to do when the server refuses the request since it is older or newer than one of its fields',
		}),
		'error',
	),
	maxBackOff: withDefault(
		integer({
			displayName: 'Max Back-Off',
			min: 1,
			max: longestBackOff,
			unit: 'seconds',
			default: defaultBackOff,
			description:
				'Longest pause before a request is repeated when the service names none, in seconds, 1 to 3,600',
		}),
		defaultBackOff,
	),
	maxDocumentRepeats: withDefault(
		integer({
			displayName: 'Max Repeats for Large Documents',
			min: 0,
			max: mostTries,
			default: defaultDocumentRepeats,
			description:
				'How often to ask again for a document that the service is still working on, 0 to 100; asking again is free',
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
			description: 'Longest time to go on repeating one request, in seconds, up to 86,400 (a day)',
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
				'Longest time to go on asking for a document that the service is still working on, in minutes',
		}),
		defaultDocumentTime,
	),
	maxTries: withDefault(
		integer({
			displayName: 'Max Tries',
			min: 1,
			max: mostTries,
			default: defaultTries,
			description:
				'How often a request is sent at most, 1 to 100, the first time included. A 429 that says when to come again does not count. What may be charged twice is repeated only where an option for uncertain answers or starts allows it.',
		}),
		defaultTries,
	),
	repeatUncertainAnswers: withDefault(
		boolean({
			displayName: 'Repeat Uncertain Answers',
			default: true,
			description:
				'Whether to send a request again after an error that the API calls retryable but that may have lost a charged answer: 502, 504, a page in the place of a 408 or 500, a failed map. A notice counts such repeats.',
		}),
		true,
	),
	reuseJob: withDefault(
		guard(
			oneOf({
				displayName: 'Reuse a Job of the Last 24 Hours',
				default: 'error',
				options: [
					{ name: 'Off', value: 'off', description: 'Starts a job in any case' },
					{
						name: 'On; if Unsure, Start Anew',
						value: 'startAnew',
						description: 'Starts a job where one was started that may be another one',
					},
					{
						name: 'On; if Unsure, Take the Job',
						value: 'take',
						description:
							'Goes on with the newest job of the same first address or prompt, which may have other options',
					},
					{
						name: 'On; if Unsure, Throw an Error',
						value: 'error',
						description: 'Names the job, and starts nothing',
					},
				],
				description:
					'Whether to go on with a job that the same request has started before, instead of paying for another: after a restart, a retry, a second press. Where the node does not remember the job, the service may not say enough of it to be sure.',
			}),
		),
		'off',
	),
	repeatUncertain: withDefault(
		boolean({
			displayName: 'Repeat Uncertain Starts',
			description:
				'Whether to start a job again when the answer to its start was lost and it is not found at the service; it may then run and be charged twice',
		}),
		false,
	),
};

/** How much is spent, and how many requests run at once. */
const limits = {
	estimateOnly: withDefault(
		boolean({
			displayName: 'Estimate Only',
			default: true,
			description:
				'Whether to send nothing that costs, and to return what would be sent, the least and the most credits that it can cost, and why. Prices of data tools are looked up, which is free.',
		}),
		false,
	),
	maxCreditsPerDay: number({
		displayName: 'Max Credits per Day',
		min: 0,
		unit: 'credits',
		default: 100,
		description:
			"Most credits that all nodes of this workflow that have this option may spend in one day of the workflow's timezone, in all its executions. A request that may pass it is not sent and becomes an error.",
	}),
	maxCreditsPerExecution: number({
		displayName: 'Max Credits per Execution',
		min: 0,
		unit: 'credits',
		default: 100,
		description:
			'Most credits that this node may spend in one execution of the workflow. A request that may pass it is not sent and becomes an error.',
	}),
	requestsInFlight: integer({
		displayName: 'Requests in Flight',
		min: 1,
		max: 100,
		default: 10,
		description:
			"How many items are worked on at once at the most, 1 to 100. Automatic when not set: 5 at first, and more as long as the service keeps up, to 100; to 10 where 'On Error' stops the workflow, to 5 where each waits for a job.",
	}),
};

/** What an operation does decides which of the node's own settings it shows. */
export interface SettingsShown {
	/** Its answer is what is paid for. */
	answers?: boolean;
	/** Its results may have files. */
	files?: boolean;
	/** The service may take long over a large document. */
	largeDocuments?: boolean;
	/** It starts jobs that are paid for. */
	starts?: boolean;
	/** It may go on with a job that was started before. */
	reuses?: boolean;
	/** It sends a request that servers of another version may not know in all its fields, as those do that answer and start. */
	sends?: boolean;
}

/** A group of settings under a name of its own. */
const group = <Fields extends Record<string, Field<unknown>>>(
	displayName: string,
	description: string,
	members: Fields,
	shown: Pick<INodeProperties, 'displayOptions'> = {},
) =>
	object({ displayName, placeholder: 'Add Option', default: {}, description, ...shown }, members);

/** Output options that operations bring along, by their names: what a node knows of its results, and the runtime does not. */
export type OutputOptions = Record<string, Field<unknown>>;

const outputGroup = (own: OutputOptions = {}) =>
	group('Output Options', "What the node's items hold", { ...outputOptions, ...own });

const groups = {
	waiting: group('Waiting', 'What happens while the job is waited for', waiting, whileWaiting),
	retries: group('Retries', 'How often and how long a request is repeated', retries),
	limits: group('Limits', 'How much is spent, and how many requests run at once', limits),
};

/** Longest wait for a job, in minutes. */
const maxWait = number({
	displayName: 'Max Wait',
	min: 0,
	unit: 'minutes',
	default: defaultWait,
	...whileWaiting,
	description: 'Longest time to wait for the job, in minutes; there is no upper limit',
});

/** How to wait for a job: the fields that belong to what was chosen under `wait`, which stands above them. */
export const waitSettingsFields: INodeProperties[] = form({
	maxWait,
	waiting: groups.waiting,
}).fields;

/** As `waitSettingsFields`, for an operation that polls its jobs in any case. */
export const pollSettingsFields: INodeProperties[] = waitSettingsFields.map(
	({ options, ...field }) => ({
		...field,
		displayOptions: {},
		...(options && {
			options: options.flatMap((option) =>
				'type' in option && option.name !== 'refuseUnsignedCalls'
					? [{ ...option, displayOptions: {} }]
					: [],
			),
		}),
	}),
);

/** The settings that only some operations have, by what an operation does. */
const settingsOf: Record<keyof SettingsShown, string[]> = {
	answers: ['repeatUncertainAnswers'],
	files: ['downloadFiles', 'maxFileSize'],
	largeDocuments: ['maxDocumentRepeats', 'maxDocumentTime'],
	starts: ['repeatUncertain'],
	reuses: ['reuseJob'],
	sends: ['unknownFields'],
};

/**
 * The node's own settings in groups: what an item looks like, how hard to try, and how much at most. `own`
 * are the output options that the operation brings along.
 */
export function settingsFields(
	shown: SettingsShown = {},
	own: OutputOptions = {},
): INodeProperties[] {
	const sends = shown.sends ?? (shown.answers === true || shown.starts === true);
	const does = { ...shown, sends };
	const hidden = Object.entries(settingsOf).flatMap(([name, settings]) =>
		fieldOf(does, name) === true ? [] : settings,
	);
	const { retries, limits } = groups;
	const every = form({ outputOptions: outputGroup(own), retries, limits }).fields;
	return every.map(({ options = [], ...rest }) => ({
		...rest,
		options: options.filter(({ name }) => !hidden.includes(name)),
	}));
}

/** Schema of what the editor stores as settings, which makes one flat object of the groups. */
const schemaOf = (output: ReturnType<typeof outputGroup>) =>
	objectSchema(
		{
			maxWait: maxWait.valueSchema.default(defaultWait),
			outputOptions: output.valueSchema.default({}),
			waiting: groups.waiting.valueSchema.default({}),
			retries: groups.retries.valueSchema.default({}),
			limits: groups.limits.valueSchema.default({}),
		},
		undefined,
		blanksOf({ maxWait }),
	).transform(
		({ maxWait: minutes, outputOptions: items, waiting: job, retries: again, limits: most }) => ({
			maxWait: minutes,
			...items,
			...job,
			...again,
			...most,
		}),
	);

/** The node's own settings for one item. `maxWait` is in minutes. */
export type Settings = z.output<typeof settingsSchema>;

/** Schema of the settings alone. */
export const settingsSchema = schemaOf(outputGroup());

/** The same with output options that operations bring along: these are checked here, and read by those who know them. */
export const settingsSchemaWith = (own: OutputOptions): Schema<Settings> =>
	schemaOf(outputGroup(own));

/** The settings among a node's parameters, for `settingsSchema`. */
export const settingsIn = (values: Readonly<Record<string, unknown>>): JsonRecord =>
	fieldsNamed(values, 'maxWait', 'outputOptions', 'waiting', 'retries', 'limits');

/** Reads the settings of one item after the other. Where they are the values of the item before, they are not checked again. */
export function settingsReader(own: OutputOptions) {
	const schema = settingsSchemaWith(own);
	const read = (given: ReturnType<typeof settingsIn>) => ({
		members: Object.values(given),
		result: schema.safeParse(given),
	});
	let last: ReturnType<typeof read> | undefined;
	return (values: Readonly<Record<string, unknown>>) => {
		const given = settingsIn(values);
		const isSame = Object.values(given).every((member, index) => member === last?.members[index]);
		last = last && isSame ? last : read(given);
		return last.result;
	};
}
