/**
 * Builds a pattern that finds any of some words in ASCII upper and lower case, the longest at each
 * position. This is the only pattern built at run time (`scripts/patterns.mjs`): without
 * quantifiers, it takes linear time.
 * @throws Error for a word with a special character
 */
export function wordPattern(words: readonly string[]): RegExp {
	const sign = words.find((word) => /[$()*+.?[\\\]^{|}]/.test(word));
	if (sign !== undefined) throw new Error(`'${sign}' holds a sign of patterns`);
	const longestFirst = [...words].sort((one, other) => other.length - one.length);
	return new RegExp(longestFirst.join('|'), 'gi');
}
