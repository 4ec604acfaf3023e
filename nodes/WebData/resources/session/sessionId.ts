import type { Endpoint } from '../../../runtime/api/endpoint';
import { field, required } from '../../../runtime/form/field';
import { jobId, pathId, exampleId } from '../../fields/ids';

/** An ID of a browser session, in any form because the API's documentation specifies none. */
export const anySessionId = pathId(200);

/** The browser session of an operation. */
export const sessionId = required(
	field(
		{
			displayName: 'Session ID',
			type: 'string',
			default: '',
			placeholder: exampleId,
			description: 'ID of the browser session, returned by Create and Get Many',
		},
		anySessionId,
	),
);

/** The alternative on a server without browser sessions. */
export const useActions = `Use 'Actions' with 'Scrape' of the page, if the server supports them.`;

export const deleteBrowserSession: Endpoint = {
	method: 'DELETE',
	path: '/interact/{id}',
	bucket: 'browserExecute',
	since: 'August 2026',
	instead: useActions,
};

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
