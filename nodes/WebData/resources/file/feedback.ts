import { feedbackOperation } from '../../fields/feedback';

/** POST /feedback on a parsed file (https://docs.firecrawl.dev/api-reference/endpoint/feedback). */
export const feedback = feedbackOperation({
	endpoint: 'parse',
	thing: 'a parsed file',
	jobId: 'ID of the parse: metadata.scrapeId of its item',
});
