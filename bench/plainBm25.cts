import type { SourcePage } from '../nodes/WebData/documents/passage';
import { blocksOf, excerptOf, tokensOf, type Block } from '../nodes/runtime/tool/passages';

/** The usual parameters of BM25. */
const [k1, b] = [1.2, 0.75];

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Whole words, by Unicode's dictionary where a script has no spaces. */
function wordsOf(text: string): string[] {
	const plain = text.normalize('NFKC').toLowerCase();
	if (!unspaced.test(plain)) return plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
	return [...segmenter.segment(plain)].flatMap((each) => (each.isWordLike ? [each.segment] : []));
}

const counted = new Map<string, { length: number; counts: Map<string, number> }>();

/** The words of a section with its headings; remembered, since each question meets them again. */
function countsIn({ heading, text }: Block) {
	const whole = `${heading}\n${text}`;
	let found = counted.get(whole);
	if (!found) {
		const words = wordsOf(whole);
		const counts = new Map<string, number>();
		for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
		counted.set(whole, (found = { length: words.length, counts }));
	}
	return found;
}

function ranked(blocks: Block[], question: string): Block[] {
	const all = blocks.map((block) => ({ block, ...countsIn(block), score: 0 }));
	const average = all.reduce((sum, { length }) => sum + length, 0) / all.length;
	for (const word of new Set(wordsOf(question))) {
		const having = all.filter(({ counts }) => counts.has(word)).length;
		const weight = Math.log(1 + (all.length - having + 0.5) / (having + 0.5));
		for (const each of all) {
			const count = each.counts.get(word) ?? 0;
			const relative = 1 - b + (b * each.length) / average;
			each.score += (weight * count * (k1 + 1)) / (count + k1 * relative);
		}
	}
	const found = all.filter(({ score }) => score > 0);
	return found.sort((one, other) => other.score - one.score).map(({ block }) => block);
}

/** The text that plain BM25 of whole words finds: in the node's sections, within the same limit. */
export async function foundByBm25(pages: SourcePage[], question: string, maxTokens: number) {
	const blocks = await Promise.all(pages.map(blocksOf));
	const taken = new Map<number, Block[]>();
	let left = maxTokens;
	for (const block of ranked(blocks.flat(), question)) {
		const known = taken.get(block.page) ?? [];
		const isKnown = known.some(({ heading }) => heading === block.heading);
		const around =
			known.length > 0 ? '' : JSON.stringify({ number: 1, ...pages[block.page].about });
		const text = `[…]${isKnown ? '' : block.heading}${block.text}`;
		const size = tokensOf(around) + tokensOf(JSON.stringify(text));
		if (size > left) continue;
		left -= size;
		taken.set(block.page, [...known, block]);
	}
	return [...taken.values()].map(excerptOf).join('\n');
}
