import type { Endpoint } from '../../../runtime/api/endpoint';
import {
	boolean,
	field,
	integer,
	oneOf,
	required,
	string,
	withDefault,
} from '../../../runtime/form/field';
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

/** The lifetime of a browser session. */
export const ttl = integer({
	displayName: 'Time to Live',
	min: 30,
	max: 3600,
	unit: 'seconds',
	default: 600,
	description: 'Max duration of the session in seconds, 30 to 3,600',
});

export const activityTtl = integer({
	displayName: 'Idle Timeout',
	min: 10,
	max: 3600,
	unit: 'seconds',
	default: 300,
	description: 'Max idle time before the session ends, in seconds, 10 to 3,600',
});

/**
 * Whether to close sessions of this execution at its end; `exception` describes those that stay
 * open.
 */
export const closeSession = (exception = '') =>
	withDefault(
		boolean({
			displayName: 'Close Session at End',
			default: true,
			description: `Whether to close the session when the execution ends or is stopped${exception}. An open session is charged per minute; disable this to use it in another execution. A suspended execution leaves it open until its idle timeout.`,
		}),
		true,
	);

/** The code to run in a browser session. */
export const code = string({
	displayName: 'Code',
	rows: 6,
	maxBytes: 100_000,
	placeholder: "e.g. await page.goto('https://example.com'); console.log(await page.title());",
	description: 'Code to run in the session, up to 100,000 bytes',
});

/**
 * The default language of the code. Always sent: the defaults of the service and its client differ.
 */
export const defaultLanguage = 'node';

export const language = oneOf({
	displayName: 'Language',
	default: defaultLanguage,
	options: [
		{ name: 'Bash', value: 'bash', description: 'Command line of the browser' },
		{ name: 'JavaScript', value: 'node' },
		{ name: 'Python', value: 'python' },
	],
	description: 'Programming language of the code',
});

export const timeout = integer({
	displayName: 'Timeout',
	min: 1,
	max: 300,
	unit: 'seconds',
	default: 60,
	description: 'Max time for the code or task, in seconds, 1 to 300; 30 if not set',
});

/** The service's timeout of a run in milliseconds; `seconds` is the request's. */
export const runTime = (seconds = 30) => seconds * 1000;
