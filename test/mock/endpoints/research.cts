import { readData } from '../data.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { parseQueryString } from '../schemas/body.cjs';
import { paperRead, type PaperSearch, paperSearch, paperSimilar } from '../schemas/toolCalls.cjs';
import { TextIndex } from '../search/textIndex.cjs';

/** A paper of the research index, own-made. `ids` lists its identifiers by namespace. */
interface Paper {
	paperId: string;
	primaryId: string;
	ids: Record<string, string[]>;
	title: string;
	abstract: string;
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

const papers = readData<Paper[]>('data/papers.json');
const index = new TextIndex(papers, ({ title, abstract }) => ({ title, abstract }), {
	...{ title: 3, abstract: 1 },
});

/** The research index, which is free: search, one paper, its passages, its relatives. */
export function paperEndpoints(): ApiEndpoint[] {
	const path = '/v2/search/research/papers';
	return endpoints(
		{ scope: 'research', rate: 'research' },
		[`GET ${path}`, search],
		[`GET ${path}/:id`, paper],
		[`GET ${path}/:id/similar`, similar],
	);
}

function search(call: ApiCall): Answer {
	const { query, k, ...filter } = parseQueryString(paperSearch, call.query);
	return { body: { success: true, results: searchPapers(query, k, filter) } };
}

/** The records that fit best. */
export const searchPapers = (query: string, count: number, filter: Filter = {}): object[] =>
	index
		.search(query)
		.filter(({ item }) => passes(item, filter))
		.slice(0, count)
		.map(({ item, score }) => record(item, score));

/** With `query` the passages that answer it, those that have nothing to do with it last; without it what the index knows of the paper. */
function paper(call: ApiCall): Answer {
	const { query, k = 4 } = parseQueryString(paperRead, call.query);
	const found = find(call.params.id);
	if (!found) return unknown;
	const { paperId, passages: texts } = found;
	const shown = metadata(found);
	if (query === undefined) return { body: { success: true, paper: shown } };
	const ranked = new TextIndex(texts, (text) => ({ text }), { text: 1 }).search(query);
	const scores = new Map(ranked.map(({ item, score }) => [item, rounded(score)]));
	const passages = [...new Set([...scores.keys(), ...texts])]
		.slice(0, k)
		.map((text) => ({ text, score: scores.get(text) ?? 0 }));
	return { body: { success: true, paperId, query, paper: shown, passages } };
}

/** The papers in a relation to at least one seed, without the seeds. */
function similar(call: ApiCall): Answer {
	const { mode, k, anchor = [] } = parseQueryString(paperSimilar, call.query);
	const seed = find(call.params.id);
	if (!seed) return unknown;
	const seeds = [seed, ...anchor.flatMap((id) => find(id) ?? [])];
	const pool = papers.flatMap((each) => {
		const seedOverlap = seeds.filter((one) => isRelated(each, one, mode)).length;
		if (seedOverlap === 0 || seeds.includes(each)) return [];
		const semantic = seedOverlap / (seeds.length + 1);
		return [{ ...record(each, semantic), signals: { seedOverlap, semantic } }];
	});
	const note = pool.length === 0 && { note: `The index knows no ${mode} of this paper.` };
	const facts = { poolSize: pool.length, truncated: pool.length > k };
	return { body: { success: true, results: pool.slice(0, k), ...facts, ...note } };
}

/** Whether one cites the other; similar ones may also share a reference. */
function isRelated(paper: Paper, seed: Paper, mode: 'similar' | 'citers' | 'references'): boolean {
	const isCiting = paper.cites.includes(seed.paperId);
	const isCited = seed.cites.includes(paper.paperId);
	if (mode !== 'similar') return mode === 'citers' ? isCiting : isCited;
	return isCiting || isCited || paper.cites.some((each) => seed.cites.includes(each));
}

/** The paper behind an id: `paperId`, `namespace:id`, a bare arXiv id, or an address of arXiv. */
function find(id: string): Paper | undefined {
	const key = identifier(id.trim());
	const same = (other: string) => other.toLowerCase() === key?.value.toLowerCase();
	return papers.find(({ paperId, ids }) =>
		key ? ids[key.namespace]?.some(same) : paperId === id.trim(),
	);
}

/** Namespace and value of an id that is no `paperId`; undefined for others. */
function identifier(text: string): { namespace: string; value: string } | undefined {
	const [, link] = /^https?:\/\/arxiv\.org\/(?:abs|pdf)\/(.+?)(?:\.pdf)?$/i.exec(text) ?? [];
	const [, prefix = '', rest = ''] = /^(arxiv|pmid|pmcid|doi):(.+)$/i.exec(text) ?? [];
	const [bare] = /^\d{4}\.\d{4,5}(v\d+)?$/.exec(text) ?? [];
	const value = link ?? bare ?? rest;
	if (value === '') return undefined;
	return { namespace: link || bare ? 'arxiv' : prefix.toLowerCase(), value };
}

type Filter = Pick<PaperSearch, 'authors' | 'categories' | 'from' | 'to'>;

/** Parts of names, in any case, and categories: all must match. Created or updated in the window, its ends included. */
function passes(
	{ authors: names, categories: own = [], created, updated }: Paper,
	{ authors = [], categories = [], from = '', to = '9999-12-31' }: Filter,
): boolean {
	const written = names.join('\n').toLowerCase();
	return (
		authors.every((part) => written.includes(part.toLowerCase())) &&
		categories.every((each) => own.includes(each)) &&
		[created, updated].some((date) => date >= from && date <= to)
	);
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000;

/** A paper as lists of results show it. */
const record = ({ paperId, primaryId, ids, title, abstract }: Paper, score: number) => ({
	...{ paperId, primaryId, ids, title, abstract },
	score: rounded(score),
});

const metadata = ({ authors, created, updated, passages, cites, primaryId, ...paper }: Paper) => ({
	...paper,
	authors: authors.join(', '),
	createdDate: created,
	updateDate: updated,
});
/** What nobody has: 404 without a body. */
const unknown: Answer = { status: 404, body: '' };
