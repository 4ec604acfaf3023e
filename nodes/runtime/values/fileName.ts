import { oneLine } from './oneLine';

/** Longest name of a file, in characters. */
const longestName = 200;

/** Longest extension that is kept when a name is cut, with its dot. */
const longestExtension = 10;

function cut(name: string): string {
	const extension = name.slice(name.lastIndexOf('.'));
	const kept = name.includes('.') && extension.length <= longestExtension ? extension : '';
	return name.slice(0, longestName - kept.length) + kept;
}

/**
 * The name of a file from outside as it may be shown, stored and sent: its last step alone, on one
 * line, without control characters and direction marks, of 200 characters at the most. Undefined when
 * nothing is left.
 */
export function plainFileName(given: string): string | undefined {
	const lastStep = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
	const name = oneLine(lastStep);
	if (name === '' || name === '.' || name === '..') return undefined;
	return name.length > longestName ? cut(name) : name;
}

/** The type of a file whose own is not known. */
export const unknownType = 'application/octet-stream';

/** A type and its subtype (RFC 6838, 4.2). */
const mimeType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** The MIME type of a file from outside, without its parameters; that of plain bytes where it is no type. Undefined when there is none. */
export function plainMimeType(given: unknown): string | undefined {
	if (typeof given !== 'string' || given === '') return undefined;
	const type = given.split(';', 1)[0].trim().toLowerCase();
	return mimeType.test(type) ? type : unknownType;
}
