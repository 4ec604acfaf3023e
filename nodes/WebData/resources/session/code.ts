import { integer, oneOf, string } from '../../../runtime/form/field';

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
