import { completesTurn, delay } from '../values/time';
import { cutLine, cutText } from '../values/text';

/** A Markdown text to search. */
export interface SourceText {
	text: string;
	title: string;
}

/** The parts of a page that match, in its order, below their headings. */
export interface Excerpt {
	/** Index of the page. */
	page: number;
	text: string;
}

const runs = /([a-z]+)|(\d+)|([^\x80-\uffff a-z\d]+)|([\u0e00-\ufaff]+)|[\x80-\uffff]/gi;

/** Estimates the tokens of a text in common tokenizers (fitted to o200k_base), 5 % more on average. */
export function tokensOf(text: string): number {
	let tokens = 0;
	for (const [{ length }, letters, digits, signs, unspaced] of text.matchAll(runs)) {
		if (letters) tokens += 0.33 + 0.15 * length;
		else if (digits) tokens += 1.02 + 0.11 * length;
		else if (signs) tokens += 1 + 0.09 * length;
		else tokens += (unspaced ? 0.76 : 0.6) * length;
	}
	return Math.ceil(tokens);
}

/** The total size of excerpts. */
export interface Budget {
	most: number;
	/** Measures a text. */
	sizeOf(text: string): number;
	/** Size of the fields around the excerpt of a page. */
	perPage(page: number): number;
	/** Least score of a block beside the best one; any by default. */
	leastShare?: number;
}

/** A part of a page of about 80 words, and the Markdown headings above it. */
interface Block {
	page: number;
	index: number;
	heading: string;
	text: string;
	/** Its text and the headings with its page's title, normalized for comparison. */
	words: string;
	about: string;
}

/** Longest heading in characters: every block below repeats it. */
const longestHeading = 100;

/** Characters read in the time that a page, or a line, takes without its text. */
const [workPerPage, workPerLine] = [100, 10];

/** Characters of all pages that are searched; far more than are returned. */
const mostRead = 20_000_000;

/** Splits a section after a paragraph, else a line, a sentence or a word, into parts of at most 480 UTF-16 units. */
const parts =
	/[^]{1,480}$|[^]{160,480}\n\n|[^]{160,480}\n|[^]{160,480}(?:[.!?](?=\s)|[。！？])|[^]{160,480}\s|[^]{1,480}(?![\udc00-\udfff])|[^]{1,480}/g;

const normalized = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Splits a page of Markdown into its blocks, in turns of the event loop. */
async function blocksOf({ text, title }: SourceText, page: number): Promise<Block[]> {
	const blocks: Block[] = [];
	const levels: string[] = [];
	let lines: string[] = [];
	let isCode = false;
	const endSection = () => {
		if (lines.length === 0) return;
		const heading = levels.filter(Boolean).join('\n');
		const about = normalized(`${cutLine(title, 2 * longestHeading)}\n${heading}`);
		for (const [part] of lines.join('\n').matchAll(parts)) {
			if (part.trim() === '') continue;
			const words = normalized(part);
			blocks.push({
				page,
				index: blocks.length,
				heading,
				text: part.trimEnd().replace(/^\s*\n/, ''),
				words,
				about,
			});
		}
		lines = [];
	};
	for (const [, ending] of text.matchAll(/([^\n]*)(?:\n|$)/g)) {
		const line = ending.endsWith('\r') ? ending.slice(0, -1) : ending;
		if (completesTurn(line.length + workPerLine)) await delay(0);
		if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
		const level = isCode ? undefined : /^(#{1,6})[ \t]/.exec(line)?.[1].length;
		if (level === undefined) {
			lines.push(line);
			continue;
		}
		endSection();
		levels.length = level - 1;
		levels[level - 1] = cutLine(line, longestHeading);
		if (line.length > longestHeading) lines.push(line);
	}
	endSection();
	return blocks;
}

/** Letters of scripts without spaces between words. */
const isUnspaced =
	/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Words: runs of unspaced letters, or of others. */
const words =
	/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{N}\p{M}])+/gu;
const letter = /[\p{L}\p{N}\p{M}]/u;

/** Letters of a word that make its term: the forms and most compounds of a word begin alike. */
const prefixLength = 5;

/**
 * The distinct terms of a question: the first letters of each word; in scripts without spaces, each
 * pair of characters. Words of one or two letters count only if there are no others.
 */
function termsOf(question: string): string[] {
	const terms = (normalized(question).match(words) ?? []).flatMap((word) =>
		isUnspaced.test(word) && word.length > 1
			? Array.from({ length: word.length - 1 }, (_, place) => word.slice(place, place + 2))
			: [word.slice(0, prefixLength)],
	);
	const long = terms.filter((term) => term.length > 2 || isUnspaced.test(term));
	return [...new Set(long.length > 0 ? long : terms)];
}

/** Counts the words of a text that have a term. */
function countOf(term: string, text: string): number {
	const isPart = isUnspaced.test(term);
	let count = 0;
	for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + term.length)) {
		const end = at + term.length;
		const isWord =
			!letter.test(text.charAt(at - 1)) &&
			(term.length === prefixLength || !letter.test(text.charAt(end)));
		if (isPart || isWord) count += 1;
	}
	return count;
}

/** Parameters of BM25 (https://doi.org/10.1561/1500000019), for short texts of similar length. */
const k1 = 0.8;
const b = 0.5;

/** Weight of a term in the headings or the title; 1 in the block itself. */
const inHeadings = 0.6;

/** Bonus of the first block of a page over the last. */
const firstBlock = 0.1;

/** Ranks the blocks that have a term of a question, the best first, down to a share of its score. */
function ranking(blocks: readonly Block[], question: string, leastShare = 0): Block[] {
	const characters = blocks.reduce((all, { text }) => all + text.length, 0);
	const average = Math.max(1, characters / blocks.length);
	const scores = new Map<Block, number>();
	for (const term of termsOf(question)) {
		const counts = blocks.map(({ words }) => countOf(term, words));
		const having = counts.filter(Boolean).length;
		const weight = Math.log(1 + (blocks.length - having + 0.5) / (having + 0.5));
		const inAbout = new Map<string, boolean>();
		for (const [place, block] of blocks.entries()) {
			const { text, about } = block;
			const isAbout = inAbout.get(about) ?? countOf(term, about) > 0;
			inAbout.set(about, isAbout);
			const count = counts[place];
			const relative = 1 - b + (b * text.length) / average;
			const score = (count * (k1 + 1)) / (count + k1 * relative) + (isAbout ? inHeadings : 0);
			if (score > 0) scores.set(block, (scores.get(block) ?? 0) + weight * score);
		}
	}
	const scoreOf = (block: Block) =>
		(scores.get(block) ?? 0) * (1 + firstBlock / (1 + block.index / 10));
	const ranked = [...scores.keys()].sort((one, other) => scoreOf(other) - scoreOf(one));
	const least = leastShare * (ranked.length === 0 ? 0 : scoreOf(ranked[0]));
	return ranked.filter((block) => scoreOf(block) >= least);
}

/** Parameter of reciprocal rank fusion (https://doi.org/10.1145/1571941.1572114). */
const fusion = 60;

/** Ranks blocks by their ranks for each phrasing of a question. */
function fused(rankings: readonly Block[][]): Block[] {
	const scores = new Map<Block, number>();
	for (const [place, block] of rankings.flatMap((each) => [...each.entries()])) {
		scores.set(block, (scores.get(block) ?? 0) + 1 / (fusion + place));
	}
	return [...scores].sort(([, one], [, other]) => other - one).map(([block]) => block);
}

/** Joins the blocks of a page in order, each heading once, with marks where others are omitted. */
function excerptOf(blocks: readonly Block[]): string {
	let text = '';
	let last: Block | undefined;
	for (const block of [...blocks].sort((one, other) => one.index - other.index)) {
		const isNext = last === undefined || last.index === block.index - 1;
		text += isNext ? '\n\n' : '\n\n[…]\n\n';
		text += block.heading === last?.heading ? block.text : `${block.heading}\n${block.text}`;
		last = block;
	}
	return text.trim();
}

/** Blocks that do not fit before the search for smaller ones ends. */
const mostMisfits = 50;

/**
 * Finds the passages of pages that answer any phrasing of a question, within a budget, the page
 * with the best one first. Only the best one is truncated, if none fits whole.
 */
export async function findPassages(
	pages: readonly SourceText[],
	phrasings: readonly string[],
	{ most, sizeOf, perPage, leastShare }: Budget,
): Promise<Excerpt[]> {
	const blocks: Block[] = [];
	let unread = mostRead;
	for (const [page, { text, title }] of pages.entries()) {
		for (const block of await blocksOf({ text: text.slice(0, unread), title }, page))
			blocks.push(block);
		unread = Math.max(0, unread - text.length);
		if (completesTurn(workPerPage)) await delay(0);
	}
	const ranked = fused(phrasings.map((phrasing) => ranking(blocks, phrasing, leastShare)));
	const found = new Map<number, Block[]>();
	const known = new Set<string>();
	let left = most;
	const costOf = ({ page, heading, text }: Block) => {
		const isKnown = found.get(page)?.some((other) => other.heading === heading) === true;
		return (
			(found.has(page) ? 0 : perPage(page)) +
			sizeOf(`\n\n[…]\n\n${isKnown ? '' : `${heading}\n`}${text}`)
		);
	};
	const take = (block: Block, text = block.text) => {
		left -= costOf({ ...block, text });
		known.add(block.words);
		found.set(block.page, [...(found.get(block.page) ?? []), { ...block, text }]);
	};
	let misfits = 0;
	for (const block of ranked) {
		if (left < 20 || misfits > mostMisfits) break;
		if (known.has(block.words)) continue;
		if (costOf(block) <= left) take(block);
		else misfits += 1;
	}
	const [best] = ranked;
	if (found.size === 0 && best) {
		const share = (left - costOf({ ...best, text: '' }) - 20) / sizeOf(best.text);
		const length = Math.floor(best.text.length * share);
		const mark = (missing: number) => `[… ${missing} more characters]`;
		if (length > 0) take(best, cutText(best.text, length, mark));
	}
	return [...found].map(([page, of]) => ({ page, text: excerptOf(of) }));
}
