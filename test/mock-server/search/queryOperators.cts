/** A query taken apart. Everything is lower case; `terms` are the words that rank. */
export interface ParsedQuery {
	terms: string;
	/** Conditions that a result must meet, or must not when negated. */
	conditions: Condition[];
}

export interface Condition {
	kind: 'phrase' | 'site' | 'inurl';
	value: string;
	negated: boolean;
}

const token = /(-?)(?:([a-z]+):(?!\/))?(?:"([^"]*)"|(\S+))/gi;

/** Reads phrases, words left out, `site:` and `inurl:`; other operators narrow nothing here. */
export function parseQuery(query: string): ParsedQuery {
	const terms: string[] = [];
	const conditions: Condition[] = [];
	for (const [, minus, rawName = '', phrase, word = ''] of query.matchAll(token)) {
		const name = rawName.toLowerCase();
		const value = (phrase ?? word).toLowerCase();
		const negated = minus === '-';
		if (name === 'site' || name === 'inurl') conditions.push({ kind: name, value, negated });
		if (name !== '') continue;
		if (negated || phrase !== undefined) conditions.push({ kind: 'phrase', value, negated });
		if (!negated) terms.push(value);
	}
	return { terms: terms.join(' '), conditions };
}
