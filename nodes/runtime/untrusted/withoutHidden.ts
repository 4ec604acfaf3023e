import { endOfElement, isHidden, tagAt } from './hiddenTags';
import { isNoImage, isTracking } from './trackingImages';

/** The place behind what a reader does not see at a `<`; the place itself where it is seen. */
function behindHidden(text: string, place: number): number {
	if (text.startsWith('<!--', place)) {
		const end = text.indexOf('-->', place + 2);
		return end === -1 ? text.length : end + '-->'.length;
	}
	const tag = tagAt(text, place);
	if (!tag) return place;
	if (tag.name === 'img' && isNoImage(tag.attributes)) return tag.to;
	return isHidden(tag) ? endOfElement(text, tag) : place;
}

/** HTML without comments, elements that nobody sees, embedded and tracking images. */
function seenHtml(text: string): string {
	let seen = '';
	let from = 0;
	let place = text.indexOf('<');
	while (place !== -1) {
		const behind = text[place - 1] === '\\' ? place : behindHidden(text, place);
		if (behind > place) {
			seen += text.slice(from, place);
			from = behind;
		}
		place = text.indexOf('<', Math.max(behind, place + 1));
	}
	return seen + text.slice(from);
}

/** Characters of an address, and of the words before it, that are looked at. */
const maxScanned = 2_000;

/** Whether an address of Markdown, behind the words of a link or an image, is none that a reader goes to or looks at. */
function isLeftOut(text: string, open: number): boolean {
	const address = text.slice(open + 2, open + 2 + maxScanned);
	if (address.trimStart().replace(/^</, '').trimStart().slice(0, 5).toLowerCase() === 'data:')
		return true;
	const before = text.slice(Math.max(0, open - maxScanned), open);
	const begin = before.lastIndexOf('[');
	const isImage = begin > 0 && before[begin - 1] === '!';
	return isImage && isTracking(address.split(')', 1)[0], before.slice(begin + 1));
}

/** Markdown without the addresses of embedded and of tracking images. */
function withoutAddresses(text: string): string {
	let seen = '';
	let from = 0;
	let open = text.indexOf('](');
	while (open !== -1) {
		let next = open + 2;
		if (isLeftOut(text, open)) {
			const end = text.indexOf(')', open);
			if (end === -1) break;
			seen += text.slice(from, next);
			from = end;
			next = end;
		}
		open = text.indexOf('](', next);
	}
	return seen + text.slice(from);
}

/** Whether a line is a definition that Markdown shows nowhere and no link can use: people write comments so. */
function isComment(line: string): boolean {
	const text = line.trimStart();
	const end = text.indexOf(']:');
	if (!text.startsWith('[') || end === -1) return false;
	const rest = text.slice(end + 2).trimStart();
	const target = ['#', '<>'].find((each) => rest.startsWith(each));
	if (target === undefined) return false;
	const title = rest.slice(target.length);
	return /^[ \t]/.test(title) && /^["'(]/.test(title.trimStart());
}

const seenMarkdown = (text: string): string =>
	withoutAddresses(seenHtml(text))
		.split('\n')
		.map((line) => (isComment(line) ? '' : line))
		.join('\n');

/** A part of a text. */
interface Part {
	from: number;
	to: number;
}

/** The spans of code in a paragraph: from a run of backticks to the next that is as long. */
function codeSpans(paragraph: string, at: number): Part[] {
	const runs = [...paragraph.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({
		from: at + index,
		to: at + index + length,
	}));
	const lengthOf = ({ from, to }: Part) => to - from;
	const next = new Map<number, number>();
	const closing = runs.map(() => -1);
	for (let run = runs.length - 1; run >= 0; run -= 1) {
		closing[run] = next.get(lengthOf(runs[run])) ?? -1;
		next.set(lengthOf(runs[run]), run);
	}
	const spans: Part[] = [];
	for (let run = 0; run < runs.length; run += 1) {
		if (closing[run] === -1) continue;
		spans.push({ from: runs[run].from, to: runs[closing[run]].to });
		run = closing[run];
	}
	return spans;
}

/** The sign of a fence that a line opens or closes; '' for any other line. */
const fenceIn = (line: string): string => /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';

/** The parts of Markdown that are code: fences, and spans in paragraphs. What stands in them is shown as it is. */
function codeParts(text: string): Part[] {
	const parts: Part[] = [];
	let fence = '';
	let begin = 0;
	let place = 0;
	const endParagraph = () => {
		for (const span of codeSpans(text.slice(begin, place), begin)) parts.push(span);
	};
	for (const line of text.split('\n')) {
		const sign = fenceIn(line);
		const end = place + line.length;
		if (fence !== '') {
			if (sign.startsWith(fence) && line.trim() === sign) {
				parts.push({ from: begin, to: end });
				fence = '';
				begin = end;
			}
		} else if (sign !== '' || line.trim() === '') {
			endParagraph();
			fence = sign;
			begin = place;
		}
		place = end + 1;
	}
	if (fence === '') endParagraph();
	else parts.push({ from: begin, to: text.length });
	return parts;
}

/** Marks a part of code while the rest is looked at. A text that was cleaned of invisible characters has no such mark. */
const codeMark = (index: number): string => `\0${index}\0`;

/** The text with a mark in the place of each part. */
function withMarks(text: string, parts: readonly Part[]): string {
	let marked = '';
	let place = 0;
	for (const [index, { from, to }] of parts.entries()) {
		marked += text.slice(place, from) + codeMark(index);
		place = to;
	}
	return marked + text.slice(place);
}

/** Removing a part can join what stood around it to another. */
const mostRounds = 5;

/** A text to which nothing is left to do, or that still changes after some rounds. */
function settled(text: string, clean: (text: string) => string): string {
	let now = text;
	for (let round = 0; round < mostRounds; round += 1) {
		const next = clean(now);
		if (next === now) return now;
		now = next;
	}
	return now;
}

/**
 * A text without what a reader of the page does not see: comments, hidden elements, embedded and
 * tracking images. In Markdown, what is shown as code stays as it is. The text must have no invisible characters.
 */
export function withoutHidden(text: string, isHtml: boolean): string {
	if (!/[<\]]/.test(text)) return text;
	if (isHtml) return settled(text, seenHtml);
	const parts = codeParts(text);
	const seen = settled(withMarks(text, parts), seenMarkdown);
	return seen.replace(/\0(\d+)\0/g, (_, index: string) => {
		const { from, to } = parts[Number(index)];
		return text.slice(from, to);
	});
}
