import { feedbackOperation } from '../../fields/feedback';

/** POST /feedback on a scrape (addendum 13). */
export const feedback = feedbackOperation({
	endpoint: 'scrape',
	thing: 'a scraped page',
	jobId: 'ID of the scrape: metadata.scrapeId of its item',
});
