import { feedbackOperation } from '../../fields/feedback';

/** POST /feedback on a parsed file (addendum 13). */
export const feedback = feedbackOperation({
	endpoint: 'parse',
	thing: 'a parsed file',
	jobId: 'ID of the parsing: metadata.scrapeId of its item',
});
