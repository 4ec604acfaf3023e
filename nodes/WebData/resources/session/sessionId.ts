import type { Endpoint } from '../../../runtime/api/endpoint';
import { field, required } from '../../../runtime/form/field';
import { pathId } from '../../fields/pathId';
import { exampleId } from '../../fields/uuid';

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
