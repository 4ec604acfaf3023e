import { fields, membersOf } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { settingsFields } from '../../../runtime/settings';
import {
	feedbackMembers,
	feedbackResult,
	missingContentField,
	querySuggestionsField,
	ratingField,
	valuableSourcesField,
} from '../../fields/feedback';
import { jobIdField } from '../../fields/jobId';
import { requestJsonField, withRequestJson } from '../../fields/requestJson';

/** A rating counts only with its evidence (addendum 3, POST /search/{jobId}/feedback). */
const request = fields(
	feedbackMembers(20),
	({ rating, valuableSources, missingContent, querySuggestions }, refuse) => {
		if (rating === 'good' && !valuableSources) {
			refuse(`can be good only with 'Valuable Sources'`, 'rating');
		}
		if (rating === 'partial' && !valuableSources && !missingContent) {
			refuse(`can be partial only with 'Valuable Sources' or 'Missing Content'`, 'rating');
		}
		if (rating === 'bad' && !missingContent && !querySuggestions) {
			refuse(`can be bad only with 'Missing Content' or 'Query Suggestions'`, 'rating');
		}
	},
);

/** POST /search/{jobId}/feedback (addendum 3). One report counts per search, so repeats are harmless. */
export const feedback = operation({
	name: 'Send Feedback',
	value: 'feedback',
	action: 'Send feedback on a search',
	description:
		"Tells the service how good a search was, once per search and within about 2 minutes after it, and returns the feedback's ID and the credits given back. Free; the first feedback on a search gives back 1 credit, up to the team's daily cap.",
	fields: [
		jobIdField(
			'ID of the search: request.id of its items, or id of its whole response. Feedback is taken for about 2 minutes after the search.',
		),
		ratingField,
		{ ...valuableSourcesField, description: 'Results that were of use, up to 50; needed for Good' },
		{
			...missingContentField,
			description:
				'What should have been found and was not, up to 20 topics; needed for Bad, or suggestions',
		},
		querySuggestionsField,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [requestJsonField],
		},
		...settingsFields({ sends: true }),
	],
	costs: 'free; the first gives 1 credit back',
	contract: withRequestJson(request),
	read: ({
		jobId,
		rating,
		valuableSources,
		missingContent,
		querySuggestions,
		additionalFields,
	}) => ({
		jobId,
		rating,
		valuableSources,
		missingContent,
		querySuggestions,
		...membersOf(additionalFields),
	}),
	async run({ jobId, ...body }, _values, call) {
		const path = `/search/${encodeURIComponent(jobId)}/feedback`;
		const answer = await call.send({ method: 'POST', path, body, cost: 'read' });
		return feedbackResult(answer.body, jobId, call);
	},
});
