import { fieldOf } from '../values/record';

const textOf = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/**
 * The message of an `error` in a response: a text, or an object with a message and a code.
 * Undefined without one.
 */
export function errorMessageIn(error: unknown): string | undefined {
	const code = textOf(fieldOf(error, 'code'));
	const message = textOf(fieldOf(error, 'message'));
	if (message === undefined) return textOf(error) ?? code;
	return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}
