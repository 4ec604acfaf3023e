import { feedbackOperation } from '../../fields/feedback';

/** POST /feedback on a map (https://docs.firecrawl.dev/api-reference/endpoint/feedback). */
export const feedback = feedbackOperation({
	endpoint: 'map',
	thing: 'a mapped website',
	jobId: 'ID of the map: request.id of its items, or id of its whole response',
});
