/** A query taken apart. Everything is lower case; `terms` are the words that rank. */
export interface ParsedQuery {
	terms: string;
	/** Conditions that a result must meet, or must not when negated. */
	conditions: Condition[];
	/** `related:` domains. */
	related: string[];
	/** Only for images. */
	imageSize?: { width: number; height: number };
	largerThan?: { width: number; height: number };
}

export interface Condition {
	kind: 'phrase' | 'word' | 'site' | 'filetype' | 'inurl' | 'intitle';
	value: string;
	negated: boolean;
}

const token = /(-?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/gi;
const conditionOf: Record<string, Condition['kind']> = {
	site: 'site',
	filetype: 'filetype',
	inurl: 'inurl',
	allinurl: 'inurl',
	intitle: 'intitle',
	allintitle: 'intitle',
};

/**
 * Reads the query operators of the public API reference. `allinurl:` and `allintitle:` take all plain words that
 * follow them, up to the next operator. An unknown `word:` is plain text.
 */
export function parseQuery(query: string): ParsedQuery {
	const parsed: ParsedQuery = { terms: '', conditions: [], related: [] };
	const terms: string[] = [];
	let taker: Condition['kind'] | undefined;

	for (const [text, minus = '', rawName = '', phrase, word = ''] of query.matchAll(token)) {
		const negated = minus === '-';
		const name = rawName.toLowerCase();
		const value = (phrase ?? word).toLowerCase();
		const kind = conditionOf[name];
		if (kind) {
			parsed.conditions.push({ kind, value, negated });
			taker = name.startsWith('all') && !negated ? kind : undefined;
		} else if (name === 'related') {
			parsed.related.push(value);
			taker = undefined;
		} else if (name === 'imagesize' || name === 'larger') {
			const [, width, height] = /^(\d+)x(\d+)$/.exec(value) ?? [];
			const size = { width: Number(width), height: Number(height) };
			if (width) parsed[name === 'larger' ? 'largerThan' : 'imageSize'] = size;
			taker = undefined;
		} else if (phrase !== undefined && !name) {
			parsed.conditions.push({ kind: 'phrase', value, negated });
			if (!negated) terms.push(value);
			taker = undefined;
		} else if (negated && !name) {
			parsed.conditions.push({ kind: 'word', value, negated });
		} else if (taker) {
			parsed.conditions.push({ kind: taker, value, negated: false });
		} else {
			terms.push(text.toLowerCase());
		}
	}
	return { ...parsed, terms: terms.join(' ') };
}
