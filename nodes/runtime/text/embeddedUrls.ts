import { eachInTurns } from '../host/turns';
import { withoutCuts, type Cut, type Removed } from './removed';
import { isTracking } from './trackingImages';

/** A part of a text. */
interface Part {
	from: number;
	to: number;
}

/** Visits the runs of backticks in a part of a text. */
function forEachRun(
	text: string,
	{ from, to }: Part,
	visit: (place: number, size: number) => void,
) {
	let place = text.indexOf('`', from);
	while (place !== -1 && place < to) {
		let end = place + 1;
		while (text[end] === '`') end += 1;
		visit(place, end - place);
		place = text.indexOf('`', end);
	}
}

/** Adds the code spans of a paragraph: from a run of backticks to the next of equal length. */
function addCodeSpans(text: string, paragraph: Part, parts: Part[]): void {
	const lastOf = new Map<number, number>();
	forEachRun(text, paragraph, (place, size) => lastOf.set(size, place));
	let from = 0;
	let open = 0;
	forEachRun(text, paragraph, (place, size) => {
		if (open === size) {
			parts.push({ from, to: place + size });
			open = 0;
		} else if (open === 0 && (lastOf.get(size) ?? 0) > place) {
			from = place;
			open = size;
		}
	});
}

/** The code fence in a line; '' for other lines. */
const fenceIn = (line: string): string => /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';

/** The code in Markdown, in order: fences and spans. Its content is shown verbatim. */
async function codeParts(text: string): Promise<Part[]> {
	const parts: Part[] = [];
	let fence = '';
	let from = 0;
	let place = 0;
	await eachInTurns(text.split('\n'), (line) => {
		const sign = fenceIn(line);
		const to = place + line.length;
		if (fence !== '') {
			if (sign.startsWith(fence) && line.trim() === sign) {
				parts.push({ from, to });
				fence = '';
				from = to;
			}
		} else if (sign !== '' || line.trim() === '') {
			addCodeSpans(text, { from, to: place }, parts);
			fence = sign;
			from = place;
		}
		place = to + 1;
		return line.length + 1;
	});
	if (fence === '') addCodeSpans(text, { from, to: text.length }, parts);
	else parts.push({ from, to: text.length });
	return parts;
}

/** The URL of a link or image after its `](`; `isEnded` if its end or a title follows. */
function urlAt(text: string, from: number): Part & { isEnded: boolean } {
	const begin = /[^\s<]/g;
	begin.lastIndex = from;
	const start = begin.exec(text)?.index ?? text.length;
	const end = /[\s)>]/g;
	end.lastIndex = start;
	const to = end.exec(text)?.index ?? text.length;
	const isEnded = /^(?:>?[ \t]{0,9}(?:\)|["'(]))/.test(text.slice(to, to + 12));
	return { from: start, to, isEnded };
}

/** A `data:` URL (RFC 2397). */
const dataUrl = /^data:(?:[a-z]+\/[\w.+-]+)?[;,]/i;

/** Characters that identify a `data:` URL. */
const longestBeginning = 100;

/** A link or image: its text and its URL, as parts. */
interface Link {
	label: Part;
	url: Part & { isEnded: boolean };
}

/** The links and images of a text. The text of each begins after the previous one. */
function* linksIn(text: string): Generator<Link> {
	let done = 0;
	let open = text.indexOf('](');
	while (open !== -1) {
		const url = urlAt(text, open + 2);
		yield { label: { from: done, to: open }, url };
		done = open;
		open = text.indexOf('](', Math.max(url.to, open + 2));
	}
}

/** The part of a link or image to remove: the URL of embedded data or of a tracking image. */
function cutOf(text: string, { label, url }: Link): Cut | undefined {
	const { from, to, isEnded } = url;
	if (!isEnded) return undefined;
	if (dataUrl.test(text.slice(from, from + longestBeginning))) {
		return { kind: 'embedded file', from, to };
	}
	const before = text.slice(label.from, label.to);
	const begin = before.lastIndexOf('[');
	const isImage = begin > 0 && before[begin - 1] === '!';
	return isImage && isTracking(text.slice(from, to), before.slice(begin + 1))
		? { kind: 'tracking image', from, to }
		: undefined;
}

/** Characters processed in the time that parsing a URL takes. */
const workPerLink = 20;

/** Removes the URLs of embedded data and of tracking images from Markdown, except in code. */
export async function withoutEmbedded(text: string, removed: Removed): Promise<string> {
	const cuts: Cut[] = [];
	await eachInTurns(linksIn(text), (link) => {
		const cut = cutOf(text, link);
		if (cut) cuts.push(cut);
		return workPerLink + link.url.to - link.label.from;
	});
	if (cuts.length === 0) return text;
	const code = await codeParts(text);
	let next = 0;
	const shown = cuts.filter(({ from }) => {
		while (next < code.length && code[next].to <= from) next += 1;
		return next === code.length || code[next].from > from;
	});
	return withoutCuts(text, shown, removed);
}
