/**
 * Warnings of maps, crawls and batches that do not concern pages omitted for lack of time, credits
 * or quota (docs/api-notes.md, Jobs and their status).
 */
const harmless = [
	// The list of errors includes the pages that robots.txt forbids.
	/^One or more pages were unable to be crawled because the robots\.txt file prevented this\b/,
	// Pages below the start page, if that is not the site's root.
	/^Only \d+ result\(s\) found\b/,
];

/** Whether a warning means, or may mean, that results are missing. */
export const mayMeanMissingResults = (warning: string): boolean =>
	!harmless.some((pattern) => pattern.test(warning));
