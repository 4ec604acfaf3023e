import type { Endpoint } from '../../runtime/api/endpoint';
import {
	jsonObject,
	ValidationFailure,
	preview,
	stringSchema,
	integerSchema,
} from '../../runtime/form/schema';
import { field, list, oneOf, required, string } from '../../runtime/form/field';
import { additionalFields, entries, form, objectParts, mapSchema } from '../../runtime/form/form';
import { operation, type Operation, type Result } from '../../runtime/operation/operation';
import { asRecord, label, without } from '../../runtime/output/results';
import { settingsFields } from '../../runtime/form/options';
import { callerFields } from './caller';
import { jobId } from './ids';
import { requestJson, withRequestJson } from './requestJson';
import { wholeUrl } from './url';

const longestUrl = 2_048;

const feedbackUrl = wholeUrl().superRefine((value, context) => {
	if (typeof value !== 'string' || value.length <= longestUrl) return;
	context.addIssue({ code: 'custom', message: 'must be at most 2,048 characters long' });
});

const url = (description: string) =>
	field(
		{
			displayName: 'URL',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/tides',
			description,
		},
		feedbackUrl,
	);

/** The rating of a job's result. */
export const rating = required(
	oneOf({
		displayName: 'Rating',
		default: 'good',
		options: [
			{ name: 'Bad', value: 'bad' },
			{ name: 'Good', value: 'good' },
			{ name: 'Partial', value: 'partial', description: 'Useful, but incomplete' },
		],
		description: 'Quality of the result',
	}),
);

export const valuableSources = (description: string) =>
	entries(
		{
			emptyIsUnset: true,
			displayName: 'Valuable Sources',
			entry: 'Source',
			placeholder: 'Add Source',
			max: 50,
			description,
		},
		objectParts({
			url: required(url('URL of the result')),
			reason: string({
				displayName: 'Reason',
				max: 1_000,
				description: 'Why it was useful, up to 1,000 characters',
			}),
		}),
	);

export const missingContent = (about: { max: number; description: string }) =>
	entries(
		{
			emptyIsUnset: true,
			displayName: 'Missing Content',
			entry: 'Topic',
			placeholder: 'Add Topic',
			...about,
		},
		objectParts({
			topic: required(
				string({
					displayName: 'Topic',
					max: 200,
					placeholder: 'e.g. Tides of the Baltic Sea',
					description: 'What was missing, up to 200 characters',
				}),
			),
			description: string({
				displayName: 'Description',
				max: 2_000,
				description: 'Details, up to 2,000 characters',
			}),
		}),
	);

export const querySuggestions = string({
	displayName: 'Query Suggestions',
	max: 2_000,
	placeholder: 'e.g. Search the port authorities, too',
	description: 'How to improve the search, up to 2,000 characters',
});

/** Turns the response to feedback into an item: its ID, and the refunded credits. */
export function feedbackResult(body: unknown, jobId: string): Result[] {
	const response = asRecord(body);
	return [{ json: label(without(response, 'success'), { jobId }) }];
}

const code = () =>
	stringSchema({
		max: 80,
		normalize: (value) =>
			/^[a-z0-9][a-z0-9_-]*$/.test(value)
				? value
				: new ValidationFailure(
						`must be a code of lowercase letters, digits, _ and - such as missing-table, not ${preview(value)}`,
					),
	});

const codes = (about: { displayName: string; placeholder: string; description: string }) =>
	list({ ...about, entry: code(), max: 20, emptyIsUnset: true });

const largestMetadata = 8 * 1024;

const metadata = jsonObject().superRefine((value, context) => {
	if (Buffer.byteLength(JSON.stringify(value)) <= largestMetadata) return;
	context.addIssue({ code: 'custom', message: 'must be at most 8 KB' });
});

/** Fields of which one is required beside the rating. */
const signals = [
	'issues',
	'note',
	'valuableSources',
	'missingContent',
	'querySuggestions',
	'url',
	'pageNumbers',
] as const;

const request = (where: string) =>
	form(
		{
			jobId: jobId(where),
			rating,
			note: string({
				displayName: 'Note',
				rows: 3,
				max: 4_000,
				placeholder: 'e.g. The table of opening hours is missing',
				description:
					'What was good or bad, up to 4,000 characters; required if the other fields are empty',
			}),
			valuableSources: valuableSources('Useful results, up to 50'),
			missingContent: missingContent({
				max: 50,
				description: 'Topics missing from the result',
			}),
			...additionalFields({
				issues: codes({
					displayName: 'Issues',
					placeholder: 'e.g. missing-table, wrong-language',
					description:
						'Comma-separated codes of what went wrong, up to 20 with up to 80 characters each',
				}),
				metadata: field(
					{
						displayName: 'Metadata',
						type: 'json',
						default: '{}',
						description: 'Object with additional data, up to 8 KB, without the result itself',
					},
					metadata,
				),
				pageNumbers: list({
					emptyIsUnset: true,
					displayName: 'Page Numbers',
					entry: integerSchema({ min: 1 }),
					max: 100,
					placeholder: 'e.g. 1, 4',
					description:
						'Comma-separated page numbers of the document that the feedback is about, up to 100',
				}),
				querySuggestions,
				requestJson,
				tags: codes({
					displayName: 'Tags',
					placeholder: 'e.g. nightly-run',
					description: 'Comma-separated custom codes, up to 20 with up to 80 characters each',
				}),
				url: url('URL that the feedback is about'),
			}),
			...callerFields,
		},
		(feedback, reject) => {
			if (signals.some((name) => feedback[name] !== undefined)) return;
			reject('requires more than a rating: add a note, issues, sources, missing content or pages');
		},
	);

/** A kind of job, and the source of its ID. */
export interface FeedbackOn {
	endpoint: 'scrape' | 'map' | 'parse';
	/** Its noun with an article, such as "a scraped page". */
	thing: string;
	jobId: string;
}

/** Advice for a server that does not accept feedback. */
export const noFeedback = 'Remove this step; no other step depends on it.';

const sendFeedback: Endpoint = {
	method: 'POST',
	path: '/feedback',
	bucket: 'account',
	retrySafety: 'free',
	since: 'August 2026',
	instead: noFeedback,
	needsDatabase: true,
};

/** POST /feedback on a job of one endpoint. One rating counts per job, so a retry is harmless. */
export const feedbackOperation = ({ endpoint, thing, jobId: where }: FeedbackOn): Operation =>
	operation({
		name: 'Send Feedback',
		value: 'feedback',
		action: `Send feedback on ${thing}`,
		description: `Rates the result for ${thing}, once per job, and returns the feedback's ID. Free.`,
		costs: 'free',
		request: mapSchema(request(where), withRequestJson),
		settings: settingsFields({ sends: true }),
		async run(body, context) {
			const response = await context.send({
				endpoint: sendFeedback,
				body: { endpoint, ...body },
			});
			return feedbackResult(response.body, body.jobId);
		},
	});
