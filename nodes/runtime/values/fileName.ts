import { oneLine } from './text';

/** Longest file name, in characters. */
const longestName = 200;

/** Longest extension that a shortened name keeps, with its dot. */
const longestExtension = 10;

function cut(name: string): string {
	const extension = name.slice(name.lastIndexOf('.'));
	const ending = name.includes('.') && extension.length <= longestExtension ? extension : '';
	return name.slice(0, longestName - ending.length) + ending;
}

/**
 * Makes a foreign file name safe to show, store and send: the last segment of its path, on one
 * line, without control characters and direction marks, of at most 200 characters. Undefined if
 * nothing is left.
 */
export function plainFileName(given: string): string | undefined {
	const lastStep = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
	const name = oneLine(lastStep);
	if (name === '' || name === '.' || name === '..') return undefined;
	return name.length > longestName ? cut(name) : name;
}

/** MIME type of a file of unknown type. */
export const unknownType = 'application/octet-stream';

/** A type and its subtype (RFC 6838, 4.2). */
const mimeType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/**
 * Normalizes a foreign MIME type, without its parameters; the unknown type if invalid, undefined if
 * empty.
 */
export function plainMimeType(given: unknown): string | undefined {
	if (typeof given !== 'string' || given === '') return undefined;
	const type = given.split(';', 1)[0].trim().toLowerCase();
	return mimeType.test(type) ? type : unknownType;
}
