/**
 * Warnings of maps, crawls and batches that say nothing of pages that the service has left out for want of
 * time, credits or room (docs/api-notes.md, Jobs and their status).
 */
const ofNoCut = [
	// The pages that robots.txt forbids are listed among the errors.
	/^One or more pages were unable to be crawled because the robots\.txt file prevented this\b/,
	// What the site has below the start page, where that is not its root.
	/^Only \d+ result\(s\) found\b/,
];

/** Returns whether a warning says, or may say, that the response lacks results. */
export const mayMeanCut = (warning: string): boolean =>
	!ofNoCut.some((pattern) => pattern.test(warning));
