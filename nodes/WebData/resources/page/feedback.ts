import { feedbackOperation } from '../../fields/feedback';

/** POST /feedback on a scrape (https://docs.firecrawl.dev/api-reference/endpoint/feedback). */
export const feedback = feedbackOperation({
	endpoint: 'scrape',
	thing: 'a scraped page',
	jobId: 'ID of the scrape: metadata.scrapeId of its item',
});
