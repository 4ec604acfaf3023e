import { readData } from './data.cjs';
import type { PaperSearch, PaperSimilar } from './schemas/papers.cjs';
import { TextIndex } from './search/textIndex.cjs';

/** A paper of the research index, own-made. `ids` lists its identifiers by namespace. */
export interface Paper {
	paperId: string;
	primaryId: string;
	ids: Record<string, string[]>;
	title: string;
	abstract: string;
}

/** What the index knows beside what results show. */
export interface IndexedPaper extends Paper {
	authors: string[];
	/** arXiv categories; papers of other origin carry none. */
	categories?: string[];
	created: string;
	updated: string;
	/** Passages of the full text; empty when only the abstract is indexed. */
	passages: string[];
	/** `paperId`s of the references that are in the index. */
	cites: string[];
}

export type PaperRecord = Paper & { score: number };

/** Parts of names, in any case, and categories: all must match. Created or updated in the window, its ends included. */
export type PaperFilter = Pick<PaperSearch, 'authors' | 'categories' | 'from' | 'to'>;

/** The research index: records of papers that do not exist elsewhere. */
export class Papers {
	readonly all = readData<IndexedPaper[]>('data/papers.json');
	private readonly index = new TextIndex<IndexedPaper>(
		this.all,
		({ title, abstract }) => ({ title, abstract }),
		{ title: 3, abstract: 1 },
	);

	search(text: string, count: number, filter: PaperFilter = {}): PaperRecord[] {
		return this.index
			.search(text)
			.filter(({ item }) => passes(item, filter))
			.slice(0, count)
			.map(({ item, score }) => record(item, score));
	}

	/** The paper behind an id: `paperId`, `namespace:id`, a bare arXiv id, or an address of arXiv or of a DOI. */
	find(id: string): IndexedPaper | undefined {
		const text = id.trim();
		if (/^\d+$/.test(text)) return this.all.find(({ paperId }) => paperId === text);
		const key = identifier(text);
		const same = (other: string) => other.toLowerCase() === key?.value.toLowerCase();
		return key && this.all.find(({ ids }) => ids[key.namespace]?.some(same));
	}

	/** The papers in a relation to at least one seed, without the seeds; `intent` says what they are to be about. */
	related(seeds: readonly IndexedPaper[], relation: PaperSimilar['mode'], intent: string) {
		const meaning = new Map(this.index.search(intent).map(({ item, score }) => [item, score]));
		return this.all
			.filter((paper) => !seeds.includes(paper))
			.map((paper) => {
				const strengths = seeds.map((seed) => strength(paper, seed, relation));
				const structural = strengths.reduce((sum, each) => sum + each, 0);
				const seedOverlap = strengths.filter((each) => each > 0).length;
				const citers = this.all.filter(({ cites }) => cites.includes(paper.paperId));
				const articleRank = 0.15 + 0.85 * citers.length;
				const semantic = rounded(meaning.get(paper) ?? 0);
				return { paper, signals: { structural, seedOverlap, articleRank, semantic } };
			})
			.filter(({ signals }) => signals.structural > 0);
	}

	/** The passages that answer a question best, up to `count`; those that have nothing to do with it last. */
	read({ passages }: IndexedPaper, question: string, count: number): object[] {
		const index = new TextIndex(passages, (text) => ({ text }), { text: 1 });
		const found = new Map(index.search(question).map(({ item, score }) => [item, rounded(score)]));
		const texts = [...new Set([...found.keys(), ...passages])];
		return texts.slice(0, count).map((text) => ({ text, score: found.get(text) ?? 0 }));
	}
}

/** Whether one cites the other; similar ones may also share a reference. */
function strength(paper: IndexedPaper, seed: IndexedPaper, relation: PaperSimilar['mode']): number {
	const citing = Number(paper.cites.includes(seed.paperId));
	const cited = Number(seed.cites.includes(paper.paperId));
	if (relation !== 'similar') return relation === 'citers' ? citing : cited;
	return citing + cited + paper.cites.filter((each) => seed.cites.includes(each)).length;
}

/** A paper as lists of results show it. */
export function record(
	{ paperId, primaryId, ids, title, abstract }: IndexedPaper,
	score: number,
): PaperRecord {
	return { paperId, primaryId, ids, title, abstract, score: rounded(score) };
}

/** Namespace and value of an id, or undefined when it has no known form. */
export function identifier(text: string): { namespace: string; value: string } | undefined {
	const [, link] =
		/^https?:\/\/(?:www\.)?arxiv\.org\/(?:abs|pdf)\/(.+?)(?:\.pdf)?$/i.exec(text) ?? [];
	const [, doi] = /^https?:\/\/(?:dx\.)?doi\.org\/(.+)$/i.exec(text) ?? [];
	const [, prefix, rest] = /^(arxiv|pmid|pmcid|doi):(.+)$/i.exec(text) ?? [];
	const [bare] = /^(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?\/\d{7})(v\d+)?$/.exec(text) ?? [];
	const arxiv = link ?? bare ?? (prefix?.toLowerCase() === 'arxiv' ? rest : undefined);
	if (arxiv) return { namespace: 'arxiv', value: arxiv.replace(/v\d+$/, '') };
	if (doi) return { namespace: 'doi', value: doi };
	if (!prefix) return undefined;
	const namespace = prefix.toLowerCase();
	return { namespace, value: namespace === 'pmcid' ? rest.replace(/^(PMC)?/i, 'PMC') : rest };
}

function passes(
	{ authors: names, categories: own = [], created, updated }: IndexedPaper,
	{ authors = [], categories = [], from = '', to = '9999-12-31' }: PaperFilter,
): boolean {
	const written = names.join('\n').toLowerCase();
	return (
		authors.every((part) => written.includes(part.toLowerCase())) &&
		categories.every((each) => own.includes(each)) &&
		[created, updated].some((date) => date >= from && date <= to)
	);
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000;

/** The government index: own-made statutes, regulations, opinions and bills of no real government. */
export class GovernmentIndex {
	private readonly index = new TextIndex(
		readData<Array<{ url: string; title: string; description: string }>>('data/government.json'),
		({ title, description }) => ({ title, description }),
		{ title: 3, description: 1 },
	);

	/** What is found, as `data.web` has it. */
	search(query: string, count: number) {
		const found = this.index.search(query).slice(0, count);
		const category = 'gov' as const;
		return found.map(({ item }, index) => ({ ...item, position: index + 1, category }));
	}
}
