/** Moves a position out of a surrogate pair, so that a cut there breaks no character. */
const cutPlace = (text: string, place: number): number =>
	/[\uD800-\uDBFF]/.test(text.charAt(place - 1)) ? place - 1 : place;

/** Truncates a text; `mark` reports how much is missing. */
export function cutText(text: string, max: number, mark: (missing: number) => string): string {
	if (text.length <= max) return text;
	const end = cutPlace(text, max);
	return `${text.slice(0, end)}\n\n${mark(text.length - end)}`;
}

/** Truncates a line with an ellipsis. */
export const cutLine = (text: string, max: number): string =>
	text.length <= max ? text : `${text.slice(0, cutPlace(text, max))}…`;

/** Removes trailing characters that satisfy `isDropped`, in a loop: `/x+$/` takes quadratic time on foreign text. */
export function trimEnd(text: string, isDropped: (character: string) => boolean): string {
	let end = text.length;
	while (end > 0 && isDropped(text[end - 1])) end -= 1;
	return text.slice(0, end);
}

/** Removes trailing slashes. */
export const withoutSlashes = (path: string) => trimEnd(path, (character) => character === '/');

/** The first of some values that is a text and not blank; else an empty text. */
export const firstText = (...values: unknown[]): string =>
	values.find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? '';

/** Puts foreign text on one line, without control characters, direction marks and lone surrogates. */
export const oneLine = (text: string): string =>
	text
		.replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
		.trim();

/** Escapes HTML tags: n8n renders hints, errors and notifications as HTML, and many of ours quote the service. */
export const withoutMarkup = (text: string): string => text.replace(/<(?=[a-z/!?])/gi, '‹');

/** A number with its noun: 1 minute, 2 minutes. */
export const pluralize = (count: number, noun: string): string =>
	`${count} ${noun}${count === 1 ? '' : 's'}`;

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

/** Parses a URL; undefined if invalid. (Node 20's optimized `URL.canParse` wrongly rejects letters such as ü.) */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** Normalizes a URL as the service does, with a scheme, so that requested and returned URLs are equal. */
export function canonicalUrl(text: string): string {
	const trimmed = text.trim();
	return parseUrl(trimmed)?.href ?? parseUrl(`http://${trimmed}`)?.href ?? trimmed;
}

/** Whether a fragment is a route of a single-page application, other than its start, and no anchor. */
export const isRoute = (fragment: string): boolean => /^#!?\/./.test(fragment);

/** Longest text to compare with choices, in characters. */
const longestChoice = 40;

/** The number of letters to insert, remove or replace between two texts. */
function distance(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [index, letter] of [...one].entries()) {
		const next = [index + 1];
		for (let at = 0; at < other.length; at += 1) {
			const replaced = row[at] + (letter === other[at] ? 0 : 1);
			next.push(Math.min(replaced, row[at + 1] + 1, next[at] + 1));
		}
		row = next;
	}
	return row[other.length];
}

/** The choice that a text was probably meant to be; undefined if none or several are near. */
export function nearest(text: string, choices: readonly string[]): string | undefined {
	const given = text.slice(0, longestChoice).toLowerCase();
	const ranked = choices
		.map((choice) => ({ choice, far: distance(given, choice.toLowerCase()) }))
		.sort((one, other) => one.far - other.far);
	const [best, second] = ranked;
	const isClear = best && best.far <= given.length / 3 && best.far !== second?.far;
	return isClear ? best.choice : undefined;
}

/** Units that labels of fields show, by their names in messages. Other labels name what they count. */
const shownUnits: Readonly<Record<string, string>> = {
	milliseconds: 'Milliseconds',
	seconds: 'Seconds',
	minutes: 'Minutes',
	days: 'Days',
	runs: 'Runs',
	MB: 'MB',
};

/** Adds the unit to a label. */
export const withUnit = (label: string, unit = ''): string =>
	unit in shownUnits ? `${label} (${shownUnits[unit]})` : label;

/** Removes the unit from a label, for messages, which name the unit with the number. */
export const withoutUnit = (label: string): string =>
	Object.values(shownUnits).reduce((rest, unit) => rest.replace(` (${unit})`, ''), label);
