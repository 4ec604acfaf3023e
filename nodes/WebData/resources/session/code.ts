import { integer, oneOf, string } from '../../../runtime/form/field';

/** Code that runs in a browser session. */
export const code = string({
	displayName: 'Code',
	rows: 6,
	maxBytes: 100_000,
	placeholder: "e.g. await page.goto('https://example.com'); console.log(await page.title());",
	description: 'Code to run in the session, up to 100,000 bytes',
});

/** The language of the code when nothing names one. Always sent: the service's default and that of its own client differ. */
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

/** The service's own time for a run in milliseconds; `seconds` is what the request names. */
export const runTime = (seconds = 30) => seconds * 1000;
