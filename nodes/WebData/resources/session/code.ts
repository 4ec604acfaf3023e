import type { INodeProperties } from 'n8n-workflow';
import { choice, text, wholeNumber } from '../../../runtime/contract';

/** Code that runs in a browser session (addendum 9: `code`, `language`, `timeout`). */
export const codeField: INodeProperties = {
	displayName: 'Code',
	name: 'code',
	type: 'string',
	typeOptions: { rows: 6 },
	required: true,
	default: '',
	placeholder: "e.g. await page.goto('https://example.com'); console.log(await page.title());",
	description: 'What to run in the session, up to 100,000 bytes',
};

/** Always sent: the service's default and that of its own client differ (sdk-facts 12.2). */
export const languageField: INodeProperties = {
	displayName: 'Language',
	name: 'language',
	type: 'options',
	default: 'node',
	options: [
		{ name: 'Bash', value: 'bash', description: "The browser's own command line" },
		{ name: 'JavaScript', value: 'node' },
		{ name: 'Python', value: 'python' },
	],
	description: 'What the code is written in',
};

export const timeoutField: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 300 },
	default: 60,
	description: 'Seconds after which the code or the task is stopped, 1 to 300; 30 when not set',
};

export const code = () => text({ maxBytes: 100_000 });
export const language = () => choice('node', 'python', 'bash');
export const timeout = () => wholeNumber({ min: 1, max: 300, unit: 'seconds' });

/** The service's own time for a run in milliseconds; `seconds` is what the request names. */
export const runTime = (seconds = 30) => seconds * 1000;
