import { z } from 'zod';

/** A pattern of `includePaths` or `excludePaths`. */
const pattern = z.string().refine((text) => {
	try {
		return new RegExp(text) instanceof RegExp;
	} catch {
		return false;
	}
}, 'Invalid regular expression');

/** Patterns for paths, as crawl and map take them. */
export const patterns = z.array(pattern);
