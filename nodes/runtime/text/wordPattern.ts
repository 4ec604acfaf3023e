/**
 * A pattern that finds any of some words, of two at one place the longer, in small letters and capitals of
 * ASCII. No other pattern is made at run time (`scripts/patterns.mjs`): without signs that repeat anything,
 * it takes linear time.
 * @throws Error for a word with a sign of patterns
 */
export function wordPattern(words: readonly string[]): RegExp {
	const sign = words.find((word) => /[$()*+.?[\\\]^{|}]/.test(word));
	if (sign !== undefined) throw new Error(`'${sign}' holds a sign of patterns`);
	const longestFirst = [...words].sort((one, other) => other.length - one.length);
	return new RegExp(longestFirst.join('|'), 'gi');
}
