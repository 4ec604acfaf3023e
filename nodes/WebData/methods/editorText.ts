import { oneLine } from '../../runtime/values/text';

/** Most entries of a list in the editor. */
export const mostEntries = 500;

const longestText = 300;

/** n8n evaluates a text that starts with = as an expression; so every leading one is removed. */
const startsExpression = /^[=\s]+/;

/**
 * Makes a text of the service safe for the editor: on one line, and never an expression. n8n stores
 * the text with the user's choice and evaluates it at every run. Undefined if nothing is left.
 */
export function editorText(given: unknown): string | undefined {
	if (typeof given !== 'string') return undefined;
	const text = oneLine(given.slice(0, 2 * longestText)).replace(startsExpression, '');
	return text === '' ? undefined : text.slice(0, longestText);
}

/** Whether the editor can store an ID of the service: no expression, and no special characters. */
export const isPlainId = (given: unknown): given is string =>
	typeof given === 'string' && /^[a-z0-9_][\w.:@/-]{0,199}$/i.test(given);
