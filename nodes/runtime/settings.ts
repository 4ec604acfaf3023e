import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { choice, decimal, fields, flag, list, text, wholeNumber } from './contract';
import { usualToolResult } from './forModel';

const usualBackOff = 30;
const usualRetryTime = 600;
const usualTries = 5;

/** Bounds of how hard to try: times in seconds. */
const longestBackOff = 3_600;
const longestRetryTime = 86_400;
const mostTries = 100;

const usualWait = 30;

/** In MB; n8n's memory holds a few of them at once. */
const usualFileSize = 100;
const largestFile = 2_000;

/** What the official client allows a large document (addendum 14). */
const usualDocumentRepeats = 5;
const usualDocumentTime = 20;

const cancelJob: INodeProperties = {
	displayName: 'Cancel Remote Job',
	name: 'cancelJob',
	type: 'boolean',
	default: true,
	description:
		'Whether to cancel the job at the service when the longest wait is over or the execution is stopped',
};

const downloadFiles: INodeProperties = {
	displayName: 'Download Files',
	name: 'downloadFiles',
	type: 'boolean',
	default: true,
	description:
		'Whether to fetch screenshots, PDFs, audio, video and base64 content as binary data; their links die within hours',
};

const keepFields: INodeProperties = {
	displayName: 'Fields to Keep',
	name: 'keepFields',
	type: 'string',
	default: '',
	placeholder: 'e.g. title, url, markdown',
	description:
		"Comma-separated fields of each item; all when empty. Saves room in an AI model's context.",
};

const unknownFields: INodeProperties = {
	displayName: 'Fields Unknown to the Server',
	name: 'unknownFields',
	type: 'options',
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
};

const maxBackOff: INodeProperties = {
	displayName: 'Max Back-Off',
	name: 'maxBackOff',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: longestBackOff },
	default: usualBackOff,
	description:
		'Longest pause before a request is repeated when the service names none, in seconds, 1 to 3,600',
};

const maxCreditsPerExecution: INodeProperties = {
	displayName: 'Max Credits per Execution',
	name: 'maxCreditsPerExecution',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 100,
	description:
		'Most credits that this node may spend in one execution of the workflow. A request that may pass it is not sent and becomes an error.',
};

const maxDocumentRepeats: INodeProperties = {
	displayName: 'Max Repeats for Large Documents',
	name: 'maxDocumentRepeats',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: mostTries },
	default: usualDocumentRepeats,
	description:
		'How often to ask again for a document that the service is still working on, 0 to 100; asking again is free',
};

const maxDocumentTime: INodeProperties = {
	displayName: 'Max Time for Large Documents',
	name: 'maxDocumentTime',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: usualDocumentTime,
	description:
		'Longest time to go on asking for a document that the service is still working on, in minutes',
};

const maxFileSize: INodeProperties = {
	displayName: 'Max File Size',
	name: 'maxFileSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: largestFile },
	default: usualFileSize,
	description:
		'Largest file to download, in MB, up to 2,000; a larger one is named with its link. A file takes about twice its size of memory while it is fetched.',
};

const maxMarkdownLength: INodeProperties = {
	displayName: 'Max Markdown Length',
	name: 'maxMarkdownLength',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 10000,
	description:
		"Cuts longer markdown after this many characters and marks the cut. Saves room in an AI model's context.",
};

const maxRetryTime: INodeProperties = {
	displayName: 'Max Retry Time',
	name: 'maxRetryTime',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: longestRetryTime },
	default: usualRetryTime,
	description: 'Longest time to go on repeating one request, in seconds, up to 86,400 (a day)',
};

const maxToolResultLength: INodeProperties = {
	displayName: 'Max Tool Result Length',
	name: 'maxToolResultLength',
	type: 'number',
	typeOptions: { minValue: 1000 },
	default: usualToolResult,
	displayOptions: { show: { '@tool': [true] } },
	description:
		'Most characters that the AI model gets as the result of one call; about 4 make a token. What is longer is cut, and the cuts are marked.',
};

const maxTries: INodeProperties = {
	displayName: 'Max Tries',
	name: 'maxTries',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: mostTries },
	default: usualTries,
	description:
		'How often a request is sent at most, 1 to 100, the first time included. A 429 that says when to come again does not count. What may be charged twice is repeated only where an option for uncertain answers or starts allows it.',
};

const maxWait: INodeProperties = {
	displayName: 'Max Wait',
	name: 'maxWait',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: usualWait,
	description: 'Longest time to wait for the job, in minutes; there is no upper limit',
};

const onPageError: INodeProperties = {
	displayName: 'On Page Error',
	name: 'onPageError',
	type: 'options',
	default: 'item',
	options: [
		{
			name: 'Return the Page',
			value: 'item',
			description: "The item's statusCode shows the error",
		},
		{ name: 'Throw an Error', value: 'error' },
	],
	description:
		'What to do when the page itself answered with an error such as 404; it is charged either way',
};

const onUnreadablePage: INodeProperties = {
	displayName: 'On Unreadable Results',
	name: 'onUnreadablePage',
	type: 'options',
	default: 'error',
	options: [
		{
			name: 'Return What Was Read',
			value: 'partial',
			description: 'Each item is marked as part of an incomplete result under request.partial',
		},
		{ name: 'Throw an Error', value: 'error' },
	],
	description: "What to do when some of a job's results cannot be read from the service",
};

const onDeadline: INodeProperties = {
	displayName: 'When the Wait Is Over',
	name: 'onDeadline',
	type: 'options',
	default: 'error',
	options: [
		{ name: 'Return the Unfinished Job', value: 'item' },
		{ name: 'Throw an Error', value: 'error' },
	],
	description: 'What to do when the job has not finished within the longest wait',
};

/** Also a field of the trigger. */
export const refuseUnsignedCallsField: INodeProperties = {
	displayName: 'Refuse Unsigned Calls',
	name: 'refuseUnsignedCalls',
	type: 'boolean',
	default: true,
	description:
		"Whether to refuse calls without a signature when the credential has a 'Webhook Secret'. Turn off for a server that does not sign. A wrong signature is refused in any case.",
};

const repeatUncertainAnswers: INodeProperties = {
	displayName: 'Repeat Uncertain Answers',
	name: 'repeatUncertainAnswers',
	type: 'boolean',
	default: true,
	description:
		'Whether to send a request again after an error that the API calls retryable but that may have lost a charged answer: 502, 504, a page in the place of a 408 or 500, a failed map. A notice counts such repeats.',
};

const repeatUncertain: INodeProperties = {
	displayName: 'Repeat Uncertain Starts',
	name: 'repeatUncertain',
	type: 'boolean',
	default: false,
	description:
		'Whether to start a job again when the answer to its start was lost and it is not found at the service; it may then run and be charged twice',
};

const requestsInFlight: INodeProperties = {
	displayName: 'Requests in Flight',
	name: 'requestsInFlight',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 10,
	description:
		"How many items are worked on at once at the most, 1 to 100. Automatic when not set: 5 at first, and more as long as the service keeps up, to 100; to 10 where 'On Error' stops the workflow, to 5 where each waits for a job.",
};

const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: false,
	description:
		"Whether to return a simplified version of the response instead of the raw data; of a page's metadata it has what people use, once each, and does so unless told not to",
};

/** What an operation does decides which of the node's own settings it shows. */
export interface SettingsShown {
	/** Its answer is what is paid for. */
	answers?: boolean;
	/** It returns documents: markdown and files. */
	documents?: boolean;
	/** The service may take long over a large document. */
	largeDocuments?: boolean;
	/** It visits a page that may answer with an error. */
	visits?: boolean;
	/** It reads the results of a job page by page. */
	pages?: boolean;
	/** It starts jobs that are paid for. */
	starts?: boolean;
	/** It sends a request that servers of another version may not know in all its fields, as those do that answer and start. */
	sends?: boolean;
}

/** A group of settings: a collection of the editor under a name of its own. */
const group = (
	name: SettingGroup,
	displayName: string,
	description: string,
	options: INodeProperties[],
): INodeProperties => ({
	displayName,
	name,
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description,
	options,
});

/** How to wait for a job: the fields that belong to what was chosen under `wait`, which stands above them. */
export const waitSettingsFields: INodeProperties[] = [
	{ ...maxWait, displayOptions: { show: { wait: ['poll', 'suspend'] } } },
	{
		...group('waiting', 'Waiting', 'What happens while the job is waited for', [
			{ ...cancelJob, displayOptions: { show: { '/wait': ['poll'] } } },
			{ ...refuseUnsignedCallsField, displayOptions: { show: { '/wait': ['suspend'] } } },
			{ ...onDeadline, displayOptions: { show: { '/wait': ['poll'] } } },
		]),
		displayOptions: { show: { wait: ['poll', 'suspend'] } },
	},
];

/** The node's own settings in groups: what an item looks like, how hard to try, and how much at most. */
export const settingsFields = ({
	answers = false,
	documents = false,
	largeDocuments = false,
	visits = false,
	pages = false,
	starts = false,
	sends = answers || starts,
}: SettingsShown = {}): INodeProperties[] => [
	group('outputOptions', 'Output Options', "What the node's items hold", [
		...(documents ? [downloadFiles] : []),
		keepFields,
		...(documents ? [maxFileSize, maxMarkdownLength] : []),
		maxToolResultLength,
		...(visits ? [onPageError] : []),
		...(pages ? [onUnreadablePage] : []),
		...(documents ? [simplify] : []),
	]),
	group('retries', 'Retries', 'How often and how long a request is repeated', [
		...(sends ? [unknownFields] : []),
		maxBackOff,
		...(largeDocuments ? [maxDocumentRepeats] : []),
		maxRetryTime,
		...(largeDocuments ? [maxDocumentTime] : []),
		maxTries,
		...(answers ? [repeatUncertainAnswers] : []),
		...(starts ? [repeatUncertain] : []),
	]),
	group('limits', 'Limits', 'How much is spent, and how many requests run at once', [
		maxCreditsPerExecution,
		requestsInFlight,
	]),
];

/** Contracts of the groups, the defaults filled in. Times in seconds but `maxDocumentTime` in minutes, sizes in MB, lengths in characters. */
const groups = {
	outputOptions: fields({
		downloadFiles: flag().default(false),
		keepFields: list(text()).default([]),
		maxFileSize: wholeNumber({ min: 1, max: largestFile, unit: 'MB' }).default(usualFileSize),
		maxMarkdownLength: wholeNumber({ min: 1, unit: 'characters' }).optional(),
		maxToolResultLength: wholeNumber({ min: 1000, unit: 'characters' }).default(usualToolResult),
		onPageError: choice('error', 'item').default('item'),
		onUnreadablePage: choice('error', 'partial').default('error'),
		simplify: flag().default(true),
	}),
	waiting: fields({
		cancelJob: flag().default(true),
		onDeadline: choice('error', 'item').default('error'),
		refuseUnsignedCalls: flag().default(true),
	}),
	retries: fields({
		maxBackOff: wholeNumber({ min: 1, max: longestBackOff, unit: 'seconds' }).default(usualBackOff),
		maxDocumentRepeats: wholeNumber({ min: 0, max: mostTries }).default(usualDocumentRepeats),
		maxDocumentTime: decimal({ min: 0, unit: 'minutes' }).default(usualDocumentTime),
		maxRetryTime: wholeNumber({ min: 0, max: longestRetryTime, unit: 'seconds' }).default(
			usualRetryTime,
		),
		maxTries: wholeNumber({ min: 1, max: mostTries }).default(usualTries),
		repeatUncertain: flag().default(false),
		repeatUncertainAnswers: flag().default(true),
		unknownFields: choice('error', 'leaveOut').default('error'),
	}),
	limits: fields({
		maxCreditsPerExecution: decimal({ min: 0, unit: 'credits' }).optional(),
		requestsInFlight: wholeNumber({ min: 1, max: 100 }).optional(),
	}),
};

type SettingGroup = keyof typeof groups;

/** Contract of the settings as the editor stores them, which makes one flat object of their groups. `maxWait` is in minutes. */
export const settingsContract = fields({
	maxWait: decimal({ min: 0, unit: 'minutes' }).default(usualWait),
	outputOptions: groups.outputOptions.default({}),
	waiting: groups.waiting.default({}),
	retries: groups.retries.default({}),
	limits: groups.limits.default({}),
}).transform(({ maxWait: minutes, outputOptions, waiting, retries, limits }) => ({
	maxWait: minutes,
	...outputOptions,
	...waiting,
	...retries,
	...limits,
}));

/** The settings among a node's parameters, for `settingsContract`. */
export const settingsIn = ({
	maxWait: minutes,
	outputOptions,
	waiting,
	retries,
	limits,
}: Readonly<Record<string, unknown>>) => ({
	maxWait: minutes,
	outputOptions,
	waiting,
	retries,
	limits,
});

/** The node's own settings for one item. */
export type Settings = z.output<typeof settingsContract>;
