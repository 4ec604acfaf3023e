/** Parts of a query that are for a search engine alone: a word to leave out, an operator with its value. */
const isForEngine = (part: string): boolean =>
	/^-|^(?:filetype|imagesize|inurl|larger|related|site):/i.test(part);

/** The question in a query: what is left of it without the operators of search engines. */
export const questionOf = (query: string): string =>
	query
		.split(/\s/)
		.filter((part) => !isForEngine(part))
		.join(' ');
