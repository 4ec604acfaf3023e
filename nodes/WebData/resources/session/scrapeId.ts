import type { Endpoint } from '../../../runtime/api/endpoint';
import { jobId } from '../../fields/jobId';
import { useActions } from './sessionId';

/** The scrape to whose page a browser session is bound. */
export const scrapeId = jobId('ID of the scrape: metadata.scrapeId of its item', 'Scrape ID');

/** The field definitions of browser sessions of scraped pages. */
export const boundSession = {
	path: '/scrape/{id}/interact',
	bucket: 'browserExecute',
	since: 'April 2026',
	instead: useActions,
	needsDatabase: true,
} as const;

export const stopInteraction: Endpoint = { method: 'DELETE', ...boundSession };
