import { oneLine } from '../../runtime/values/oneLine';

/** Most entries of a list that the editor is given at once. */
export const mostEntries = 500;

const longestText = 300;

/** How n8n tells an expression: a text that starts with =. Those after it would make one of the rest. */
const startsExpression = /^[=\s]+/;

/**
 * A text of the service for the editor, on one line and never an expression: what the user picks is
 * stored with its name, and n8n evaluates all of it at every run. Undefined when nothing is left.
 */
export function editorText(given: unknown): string | undefined {
	if (typeof given !== 'string') return undefined;
	const text = oneLine(given.slice(0, 2 * longestText)).replace(startsExpression, '');
	return text === '' ? undefined : text.slice(0, longestText);
}

/** Whether an ID of the service is one that the editor may store: no expression, nothing to be read otherwise. */
export const isPlainId = (given: unknown): given is string =>
	typeof given === 'string' && /^[a-z0-9_][\w.:@/-]{0,199}$/i.test(given);

/** Whether the name of an option may stand in the editor as one of a field. */
export const isPlainName = (given: unknown): given is string =>
	typeof given === 'string' &&
	/^[\p{L}\p{N}_$@][\p{L}\p{N}_$@.:[\] -]{0,127}$/u.test(given) &&
	!(given in Object.prototype);
