import { completesTurn, delay, mapInTurns } from '../values/time';
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
export interface Block {
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

const normalize = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Splits a page of Markdown into its blocks, in turns of the event loop. */
export async function blocksOf({ text, title }: SourceText, page: number): Promise<Block[]> {
	const blocks: Block[] = [];
	const levels: string[] = [];
	let lines: string[] = [];
	let isCode = false;
	const endSection = async () => {
		if (lines.length === 0) return;
		const heading = levels.filter(Boolean).join('\n');
		const about = normalize(`${cutLine(title, 2 * longestHeading)}\n${heading}`);
		for (const [part] of lines.join('\n').matchAll(parts)) {
			if (completesTurn(part.length)) await delay(0);
			if (part.trim() === '') continue;
			const shown = part.trimEnd().replace(/^\s*\n/, '');
			const index = blocks.length;
			blocks.push({ page, index, heading, text: shown, words: normalize(part), about });
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
		await endSection();
		levels.length = level - 1;
		levels[level - 1] = cutLine(line, longestHeading);
		if (line.length > longestHeading) lines.push(line);
	}
	await endSection();
	return blocks;
}

/** A word to look for, as the `whole` of one, its `beginning` or any `part`. A `minor` one adds to what others find. */
type Term = [text: string, match: 'whole' | 'beginning' | 'part', isMinor?: boolean];

const words = /[\p{L}\p{N}\p{M}]+/gu;
const letter = /[\p{L}\p{N}\p{M}]/u;

/** Splits words of scripts without spaces by dictionaries; others stay whole. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
const unspaced =
	/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** What Arabic writes before a noun without a space: conjunction, preposition and article. */
const arabicArticle = /^[وفبك]?(?:ال|لل)(?=\p{L}{3})/u;

/** The term of a word: its forms and most compounds begin alike; in Arabic, an article and others stand before. */
function termOf(word: string): Term {
	if (unspaced.test(word)) return [word, 'part'];
	if (/^\p{sc=Hangul}{2}/u.test(word)) return [word.slice(0, 2), 'beginning'];
	if (/^\p{sc=Arab}{3}/u.test(word)) return [word.replace(arabicArticle, '').slice(0, 4), 'part'];
	if (/^\p{sc=Cyrl}{4}/u.test(word)) return [word.slice(0, 4), 'beginning'];
	if (word.length < 5) return [word, 'whole', word.length < 3];
	return [word.slice(0, Math.min(5, word.length - 1)), 'beginning'];
}

/** The terms of a question, each once, the minor ones last. */
function termsOf(question: string): Term[] {
	const runsOfLetters = normalize(question).match(words) ?? [];
	const found = runsOfLetters.flatMap((run) => [...segmenter.segment(run)]);
	const terms = found.map(({ segment }) => termOf(segment));
	const distinct = [...new Map(terms.map((term) => [term[0], term])).values()];
	const [minor, others] = [true, false].map((is) => distinct.filter(([, , of]) => is === !!of));
	return others.length > 0 ? [...others, ...minor] : minor.map(([text, match]) => [text, match]);
}

/** Counts the words of a text that have a term. */
function countOf([term, match]: Term, text: string): number {
	let count = 0;
	for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + term.length)) {
		const begins = match === 'part' || !letter.test(text.charAt(at - 1));
		if (begins && (match !== 'whole' || !letter.test(text.charAt(at + term.length)))) count += 1;
	}
	return count;
}

/** The usual parameters of BM25 (https://doi.org/10.1561/1500000019). */
const [k1, b] = [1.2, 0.75];
/** Weight of a term in the headings or the title; 1 in the block itself. */
const inHeadings = 0.6;
/** Bonus of the first block of a page over the last. */
const firstBlock = 0.1;

/** Ranks the blocks that have a term of a question, the best first, down to a share of its score; if it `fills`, also those with minor terms alone. */
async function ranking(blocks: readonly Block[], question: string, leastShare = 0, fills = false) {
	const length = blocks.reduce((all, { text }) => all + text.length, 1);
	const scores = new Map<Block, number>();
	for (const term of termsOf(question)) {
		if (completesTurn(length)) await delay(0);
		const counts = blocks.map(({ words }) => countOf(term, words));
		const having = counts.filter(Boolean).length;
		const weight = Math.log(1 + (blocks.length - having + 0.5) / (having + 0.5));
		const mayBeAlone = !term[2] || (fills && scores.size > 0);
		const inAbout = new Map<string, boolean>();
		for (const [place, block] of blocks.entries()) {
			const isAbout = inAbout.get(block.about) ?? countOf(term, block.about) > 0;
			inAbout.set(block.about, isAbout);
			const count = counts[place];
			const relative = 1 - b + (b * block.text.length * blocks.length) / length;
			const score = (count * (k1 + 1)) / (count + k1 * relative) + (isAbout ? inHeadings : 0);
			if (score > 0 && (mayBeAlone || scores.has(block)))
				scores.set(block, (scores.get(block) ?? 0) + weight * score);
		}
	}
	const scoreOf = (block: Block) =>
		(scores.get(block) ?? 0) * (1 + firstBlock / (1 + block.index / 10));
	const ranked = [...scores.keys()].sort((one, other) => scoreOf(other) - scoreOf(one));
	return ranked.filter((block) => scoreOf(block) >= leastShare * scoreOf(ranked[0]));
}

/** Ranks blocks by their ranks for each phrasing: reciprocal rank fusion (https://doi.org/10.1145/1571941.1572114). */
function fuse(rankings: readonly Block[][], fusion: number): Block[] {
	const scores = new Map<Block, number>();
	for (const [place, block] of rankings.flatMap((each) => [...each.entries()])) {
		scores.set(block, (scores.get(block) ?? 0) + 1 / (fusion + place));
	}
	return [...scores].sort(([, one], [, other]) => other - one).map(([block]) => block);
}

/** Joins the blocks of a page in order, each heading once, with marks where others are omitted. */
export function excerptOf(blocks: readonly Block[]): string {
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

/** A budget below which the first of any phrasing comes before what several phrasings match. */
const smallBudget = 1_000;
/** Blocks that do not fit before the search for smaller ones ends. */
const mostMisfits = 50;

/** Finds passages for any phrasing of a question, best page first; only the best is cut, if none fits. */
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
	// Among several phrasings, what has little words of each would pass what one of them finds.
	const fills = leastShare === undefined && phrasings.length === 1;
	const rank = async (phrasing: string) => await ranking(blocks, phrasing, leastShare, fills);
	const rankings = await mapInTurns(phrasings, 0, rank);
	const ranked = fuse(rankings, most < smallBudget ? 8 : 60);
	const found = new Map<number, Block[]>();
	const known = new Set<string>();
	let [left, misfits] = [most, 0];
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
