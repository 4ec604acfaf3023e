import { jobIdField } from '../../fields/jobId';

/** The scrape whose page a browser session is bound to (addendum 9, Bound to a scrape). */
export const scrapeIdField = jobIdField(
	'ID of the scrape that read the page: metadata.scrapeId of its item',
	'Scrape ID',
);

export const boundSessionPath = (jobId: string) => `/scrape/${encodeURIComponent(jobId)}/interact`;
