import type { Endpoint } from '../../../runtime/api/endpoint';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { callerMembers } from '../../fields/caller';
import {
	feedbackResult,
	missingContent,
	noFeedback,
	querySuggestions,
	rating,
	valuableSources,
} from '../../fields/feedback';
import { jobId } from '../../fields/jobId';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { costOf } from '../../fields/prices';

/** A rating counts only with its evidence (https://docs.firecrawl.dev/api-reference/endpoint/feedback). */
const request = form(
	{
		jobId: jobId(
			'ID of the search: request.id of its items, or id of its whole response. Feedback is taken for about 2 minutes after the search.',
		),
		rating,
		valuableSources: valuableSources('Results that were of use, up to 50; needed for Good'),
		missingContent: missingContent({
			max: 20,
			description:
				'What should have been found and was not, up to 20 topics; needed for Bad, or suggestions',
		}),
		querySuggestions,
		...additionalFields({ requestJson }),
		...callerMembers,
	},
	({ rating: rated, valuableSources: sources, missingContent: missing, ...more }, refuse) => {
		if (rated === 'good' && !sources) {
			refuse(`can be good only with 'Valuable Sources'`, 'rating');
		}
		if (rated === 'partial' && !sources && !missing) {
			refuse(`can be partial only with 'Valuable Sources' or 'Missing Content'`, 'rating');
		}
		if (rated === 'bad' && !missing && !more.querySuggestions) {
			refuse(`can be bad only with 'Missing Content' or 'Query Suggestions'`, 'rating');
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

/** POST /search/{jobId}/feedback (https://docs.firecrawl.dev/api-reference/endpoint/feedback). One report counts per search, so repeats are harmless. */
export const feedback = operation({
	name: 'Send Feedback',
	value: 'feedback',
	action: 'Send feedback on a search',
	description: `Tells the service how good a search was, once per search and within about 2 minutes after it, and returns the feedback's ID and the credits given back. Free; the first feedback on a search gives back ${costOf('refund')}, up to the team's daily cap.`,
	costs: `free; the first gives ${costOf('refund')} back`,
	request: mapSchema(request, withRequestJson),
	settings: settingsFields({ sends: true }),
	async run({ jobId: id, ...body }, _values, context) {
		const response = await context.send({ endpoint: sendSearchFeedback, ids: { id }, body });
		return feedbackResult(response.body, id);
	},
});
