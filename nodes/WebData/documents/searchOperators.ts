/**
 * Whether a part of a query is only for a search engine: an excluded word or an operator with its
 * value.
 */
const isForEngine = (part: string): boolean =>
	/^-|^(?:filetype|imagesize|inurl|larger|related|site):/i.test(part);

/** Removes the operators of search engines from a query, which leaves the question. */
export const withoutSearchOperators = (query: string): string =>
	query
		.split(/\s/)
		.filter((part) => !isForEngine(part))
		.join(' ');
