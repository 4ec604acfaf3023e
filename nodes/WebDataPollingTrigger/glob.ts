/** Matches a text against a pattern with `*` for any characters, in linear time. */
export function fitsGlob(text: string, pattern: string): boolean {
	const [start, ...rest] = pattern.split('*');
	const end = rest.pop();
	if (end === undefined) return text === pattern;
	if (!text.startsWith(start) || !text.endsWith(end)) return false;
	let from = start.length;
	for (const part of rest) {
		const at = text.indexOf(part, from);
		if (at < 0) return false;
		from = at + part.length;
	}
	return from + end.length <= text.length;
}
