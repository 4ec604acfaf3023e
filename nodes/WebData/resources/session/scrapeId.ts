import { jobId } from '../../fields/jobId';

/** The scrape whose page a browser session is bound to. */
export const scrapeId = jobId(
	'ID of the scrape that read the page: metadata.scrapeId of its item',
	'Scrape ID',
);

export const boundSessionPath = (id: string) => `/scrape/${encodeURIComponent(id)}/interact`;
