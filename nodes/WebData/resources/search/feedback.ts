import type { Endpoint } from '../../../runtime/api/endpoint';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { callerFields } from '../../fields/caller';
import {
	feedbackResult,
	missingContent,
	noFeedback,
	querySuggestions,
	rating,
	valuableSources,
} from '../../fields/feedback';
import { jobId } from '../../fields/ids';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { costOf } from '../../fields/prices';

/**
 * The fields of a rating, which counts only with evidence
 * (https://docs.firecrawl.dev/api-reference/endpoint/feedback).
 */
const request = form(
	{
		jobId: jobId(
			'ID of the search: request.id of its items, or id of its whole response. Accepted for about 2 minutes after the search.',
		),
		rating,
		valuableSources: valuableSources('Useful results, up to 50; required for Good'),
		missingContent: missingContent({
			max: 20,
			description: 'Missing topics, up to 20; this or suggestions are required for Bad',
		}),
		querySuggestions,
		...additionalFields({ requestJson }),
		...callerFields,
	},
	({ rating: rated, valuableSources: sources, missingContent: missing, ...more }, reject) => {
		if (rated === 'good' && !sources) {
			reject(`requires 'Valuable Sources' if good`, 'rating');
		}
		if (rated === 'partial' && !sources && !missing) {
			reject(`requires 'Valuable Sources' or 'Missing Content' if partial`, 'rating');
		}
		if (rated === 'bad' && !missing && !more.querySuggestions) {
			reject(`requires 'Missing Content' or 'Query Suggestions' if bad`, 'rating');
		}
	},
);

const sendSearchFeedback: Endpoint = {
	method: 'POST',
	path: '/search/{id}/feedback',
	bucket: 'account',
	retrySafety: 'free',
	since: 'May 2026',
	instead: noFeedback,
	needsDatabase: true,
};

/**
 * POST /search/{jobId}/feedback (https://docs.firecrawl.dev/api-reference/endpoint/feedback). One
 * rating counts per search, so a retry is harmless.
 */
export const feedback = operation({
	name: 'Send Feedback',
	value: 'feedback',
	action: 'Send feedback on a search',
	description: `Rates a search, once per search and within about 2 minutes after it, and returns the feedback's ID and the refunded credits. Free; the first feedback on a search refunds ${costOf('refund')}, up to the team's daily cap.`,
	costs: `free; the first refunds ${costOf('refund')}`,
	request: mapSchema(request, withRequestJson),
	settings: settingsFields({ sends: true }),
	async run({ jobId: id, ...body }, context) {
		const response = await context.send({ endpoint: sendSearchFeedback, ids: { id }, body });
		return feedbackResult(response.body, id);
	},
});
