import { eachInTurns } from '../host/turns';
import { withoutCuts, type Cut, type Removed } from './removed';
import { isTracking } from './trackingImages';

/** A part of a text. */
interface Part {
	from: number;
	to: number;
}

/** Goes through the runs of backticks in a part of a text. */
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

/** Adds the spans of code in a paragraph: from a run of backticks to the next that is as long. */
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

/** The sign of a fence that a line opens or closes; '' for any other line. */
const fenceIn = (line: string): string => /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';

/** The parts of Markdown that are code, in their order: fences, and spans in paragraphs. What stands in them is shown as it is. */
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

/** The URL of a link or an image behind its `](`; `isEnded` where the end of it, or a title, follows. */
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

/** URLs that hold what they lead to (RFC 2397). */
const dataUrl = /^data:(?:[a-z]+\/[\w.+-]+)?[;,]/i;

/** Characters by which a URL is known as one of those. */
const longestBeginning = 100;

/** A link or an image: its words and its URL, each by its place. */
interface Link {
	words: Part;
	url: Part & { isEnded: boolean };
}

/** The links and images of a text. Their words begin where the one before them ends at the earliest. */
function* linksIn(text: string): Generator<Link> {
	let done = 0;
	let open = text.indexOf('](');
	while (open !== -1) {
		const url = urlAt(text, open + 2);
		yield { words: { from: done, to: open }, url };
		done = open;
		open = text.indexOf('](', Math.max(url.to, open + 2));
	}
}

/** What is removed of a link or an image: the URL of embedded data, or of a tracking image. */
function cutOf(text: string, { words, url }: Link): Cut | undefined {
	const { from, to, isEnded } = url;
	if (!isEnded) return undefined;
	if (dataUrl.test(text.slice(from, from + longestBeginning))) {
		return { kind: 'embedded file', from, to };
	}
	const before = text.slice(words.from, words.to);
	const begin = before.lastIndexOf('[');
	const isImage = begin > 0 && before[begin - 1] === '!';
	return isImage && isTracking(text.slice(from, to), before.slice(begin + 1))
		? { kind: 'tracking image', from, to }
		: undefined;
}

/** How many characters are worked on in the time that it takes to parse a URL. */
const workPerLink = 20;

/** Markdown without the URLs of embedded data and of tracking images, but in code. */
export async function withoutEmbedded(text: string, removed: Removed): Promise<string> {
	const cuts: Cut[] = [];
	await eachInTurns(linksIn(text), (link) => {
		const cut = cutOf(text, link);
		if (cut) cuts.push(cut);
		return workPerLink + link.url.to - link.words.from;
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
