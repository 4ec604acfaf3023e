/** Parameters that show what a node works on, the most specific first. */
const targets = ['url', 'urls', 'query', 'prompt'];

/** Most characters of such a parameter below a node, which has place for fewer. */
const longestTarget = 100;

/**
 * The expression of the text below a node on the canvas: the label of what it does, and its URL,
 * query or prompt unless an expression gives it.
 * @param key the expression of a key of `labels`
 */
export function subtitleBy(labels: Readonly<Record<string, string>>, key: string): string {
	const given = targets.map((name) => `$rawParameter["${name}"]`).join(', ');
	const isFixed = '(text) => text && !String(text).startsWith("=")';
	const shorten = `(text) => ": " + String(text).trim().replace(/^https?:[/][/](www[.])?/i, "").slice(0, ${longestTarget})`;
	const target = `[${given}].filter(${isFixed}).slice(0, 1).map(${shorten}).join("")`;
	return `={{ (${JSON.stringify(labels)})[${key}] + ${target} }}`;
}
