import { z } from 'zod';

/** What the server's engine, which takes linear time, cannot run: looking around, and back at a group. */
const unknownToEngine = /\(\?<?[=!]|\\[1-9k]/;

function compiles(text: string): boolean {
	try {
		return new RegExp(text) instanceof RegExp;
	} catch {
		return false;
	}
}

const text = z.string().max(2000, 'A pattern is at most 2000 characters long');

/** Escapes and classes, in which those signs mean themselves. */
const withoutClasses = (pattern: string): string =>
	pattern.replace(/\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/g, '.');

const pattern = text.refine(
	(value) => compiles(value) && !unknownToEngine.test(withoutClasses(value)),
	'Invalid regular expression',
);

/** Patterns for paths, as crawl and map take them. */
export const patterns = z.array(pattern).max(1000, 'At most 1000 patterns');

/** As monitors take them: nothing is compiled before the check runs. */
export const uncheckedPatterns = z.array(text).max(1000, 'At most 1000 patterns');
