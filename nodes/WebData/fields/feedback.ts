import type { INodeProperties } from 'n8n-workflow';
import {
	choice,
	choices,
	fields,
	jsonObject,
	membersOf,
	Refusal,
	shown,
	text,
	wholeNumber,
} from '../../runtime/contract';
import { operation, type Call, type Operation, type Result } from '../../runtime/operation';
import { asRecord, label, noticesIn, without } from '../../runtime/results';
import { settingsFields } from '../../runtime/settings';
import { callerMembers } from './caller';
import { jobIdField } from './jobId';
import { requestJsonField, withRequestJson } from './requestJson';
import { wholeUrl } from './url';
import { uuid } from './uuid';

/** How good a job's result was (addendum 3 and 13; sdk-facts 15). */
export const ratingField: INodeProperties = {
	displayName: 'Rating',
	name: 'rating',
	type: 'options',
	default: 'good',
	options: [
		{ name: 'Bad', value: 'bad' },
		{ name: 'Good', value: 'good' },
		{ name: 'Partial', value: 'partial', description: 'Of use, but with something missing' },
	],
	description: 'How good the result was',
};

export const valuableSourcesField: INodeProperties = {
	displayName: 'Valuable Sources',
	name: 'valuableSources',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Source',
	default: {},
	description: 'Results that were of use, up to 50',
	options: [
		{
			displayName: 'Source',
			name: 'values',
			values: [
				{
					displayName: 'URL',
					name: 'url',
					type: 'string',
					required: true,
					default: '',
					placeholder: 'e.g. https://example.com/tides',
					description: 'Address of the result',
				},
				{
					displayName: 'Reason',
					name: 'reason',
					type: 'string',
					default: '',
					description: 'Why it was of use, up to 1,000 characters',
				},
			],
		},
	],
};

export const missingContentField: INodeProperties = {
	displayName: 'Missing Content',
	name: 'missingContent',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Topic',
	default: {},
	description: 'What should have been found and was not',
	options: [
		{
			displayName: 'Topic',
			name: 'values',
			values: [
				{
					displayName: 'Topic',
					name: 'topic',
					type: 'string',
					required: true,
					default: '',
					placeholder: 'e.g. Tides of the Baltic Sea',
					description: 'What was missing, up to 200 characters',
				},
				{
					displayName: 'Description',
					name: 'description',
					type: 'string',
					default: '',
					description: 'More about it, up to 2,000 characters',
				},
			],
		},
	],
};

export const querySuggestionsField: INodeProperties = {
	displayName: 'Query Suggestions',
	name: 'querySuggestions',
	type: 'string',
	default: '',
	placeholder: 'e.g. Search the port authorities, too',
	description: 'How the service could have searched better, up to 2,000 characters',
};

const longestUrl = 2_048;

const feedbackUrl = () =>
	wholeUrl().superRefine((value, context) => {
		if (typeof value !== 'string' || value.length <= longestUrl) return;
		context.addIssue({ code: 'custom', message: 'must be at most 2,048 characters long' });
	});

const source = fields({ url: feedbackUrl(), reason: text({ max: 1_000 }).optional() });
const topic = fields({
	topic: text({ max: 200 }),
	description: text({ max: 2_000 }).optional(),
});

/** What every kind of feedback holds; `mostTopics` bounds `missingContent`. */
export const feedbackMembers = (mostTopics: number) => ({
	jobId: uuid(),
	rating: choice('good', 'partial', 'bad'),
	valuableSources: choices(source, { max: 50 }).optional(),
	missingContent: choices(topic, { max: mostTopics }).optional(),
	querySuggestions: text({ max: 2_000 }).optional(),
	...callerMembers,
});

/** Makes an item of the answer to a feedback: its ID, and the credits that it gave back. */
export function feedbackResult(body: unknown, jobId: string, call: Call): Result[] {
	const answer = asRecord(body);
	noticesIn(answer).forEach(call.notice);
	return [{ json: label(without(answer, 'success'), { jobId }) }];
}

const code = () =>
	text({
		max: 80,
		mend: (value) =>
			/^[a-z0-9][a-z0-9_-]*$/.test(value)
				? value
				: new Refusal(
						`must be a code of small letters, digits, _ and - such as missing-table, not ${shown(value)}`,
					),
	});

const codes = () => choices(code(), { max: 20 });

const largestMetadata = 8 * 1024;

const metadata = () =>
	jsonObject().superRefine((value, context) => {
		if (Buffer.byteLength(JSON.stringify(value)) <= largestMetadata) return;
		context.addIssue({ code: 'custom', message: 'must be at most 8 KB' });
	});

/** Members of which one must be there beside the rating. */
const signals = [
	'issues',
	'note',
	'valuableSources',
	'missingContent',
	'querySuggestions',
	'url',
	'pageNumbers',
] as const;

const request = fields(
	{
		...feedbackMembers(50),
		issues: codes().optional(),
		tags: codes().optional(),
		note: text({ max: 4_000 }).optional(),
		url: feedbackUrl().optional(),
		pageNumbers: choices(wholeNumber({ min: 1 }), { max: 100 }).optional(),
		metadata: metadata().optional(),
	},
	(feedback, refuse) => {
		if (signals.some((name) => feedback[name] !== undefined)) return;
		refuse(`needs more than a rating: add a note, issues, sources, missing content or pages`);
	},
);

const noteField: INodeProperties = {
	displayName: 'Note',
	name: 'note',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. The table of opening hours is missing',
	description:
		'What was good or bad, up to 4,000 characters; this or one of the other fields is needed',
};

const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [
		{
			displayName: 'Issues',
			name: 'issues',
			type: 'string',
			default: '',
			placeholder: 'e.g. missing-table, wrong-language',
			description:
				'Comma-separated codes of what went wrong, up to 20 with up to 80 characters each',
		},
		{
			displayName: 'Metadata',
			name: 'metadata',
			type: 'json',
			default: '{}',
			description: 'Object with further facts, up to 8 KB; not the result itself',
		},
		{
			displayName: 'Page Numbers',
			name: 'pageNumbers',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1, 4',
			description: 'Comma-separated pages of the document that the feedback is about, up to 100',
		},
		querySuggestionsField,
		requestJsonField,
		{
			displayName: 'Tags',
			name: 'tags',
			type: 'string',
			default: '',
			placeholder: 'e.g. nightly-run',
			description: 'Comma-separated codes of your own, up to 20 with up to 80 characters each',
		},
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/tides',
			description: 'Address that the feedback is about',
		},
	],
};

/** What a kind of job is called, and where its ID is found. */
export interface FeedbackOn {
	endpoint: 'scrape' | 'map' | 'parse';
	/** With its article, such as "a scraped page". */
	thing: string;
	jobId: string;
}

/** POST /feedback on a job of one endpoint (addendum 13). One report counts per job, so repeats are harmless. */
export const feedbackOperation = ({ endpoint, thing, jobId: where }: FeedbackOn): Operation =>
	operation({
		name: 'Send Feedback',
		value: 'feedback',
		action: `Send feedback on ${thing}`,
		description: `Tells the service how good the result for ${thing} was, once per job, and returns the feedback's ID. Free.`,
		fields: [
			jobIdField(where),
			ratingField,
			noteField,
			valuableSourcesField,
			missingContentField,
			additionalFields,
			...settingsFields({ sends: true }),
		],
		costs: 'free',
		contract: withRequestJson(request),
		read: ({ jobId, rating, note, valuableSources, missingContent, additionalFields: more }) => ({
			jobId,
			rating,
			note,
			valuableSources,
			missingContent,
			...membersOf(more),
		}),
		async run(body, _values, call) {
			const answer = await call.send({
				method: 'POST',
				path: '/feedback',
				body: { endpoint, ...body },
				cost: 'read',
			});
			return feedbackResult(answer.body, body.jobId, call);
		},
	});
