import { z } from 'zod/v4';

import { readData } from '../data.cjs';
import type { Answer, ApiCall, Endpoints } from '../pipeline.cjs';
import { counted, filled, optional, parseBody } from '../schemas/fields.cjs';
import { TextIndex } from '../search/textIndex.cjs';

/** A paper of the research index, own-made. `ids` lists its identifiers by namespace. */
interface Paper {
	paperId: string;
	primaryId: string;
	ids: Record<string, string[]>;
	title: string;
	abstract: string;
	authors: string;
	createdDate: string;
	updateDate: string;
	/** Passages of the full text; empty when only the abstract is indexed. */
	passages: string[];
	/** `paperId`s of the references that are in the index. */
	cites: string[];
}

const papers = readData<Paper[]>('data/papers.json');
const index = new TextIndex(papers, ({ title, abstract }) => ({ title, abstract }), {
	...{ title: 3, abstract: 1 },
});

/** A list in a query string: the key repeated, or its values joined by commas. */
const listed = <T extends z.ZodType>(list: T) =>
	z.preprocess((given) => (typeof given === 'string' ? given.split(',') : given), list);

const names = z.array(z.string().min(1)).min(1);
const day = z.iso.date('Expected YYYY-MM-DD');

const paperSearch = optional({
	k: counted(1, 500),
	authors: listed(names),
	categories: listed(names),
	from: day,
	to: day,
}).extend({ query: filled });

const paperRead = optional({ query: filled, k: counted(1, 50) });

const paperSimilar = optional({
	mode: z.enum(['similar', 'citers', 'references']),
	k: counted(1, 500),
	rerank: z.coerce.boolean(),
	// With the paper itself at most ten seeds.
	anchor: listed(names.max(9)),
}).extend({ intent: filled });

/** What nobody has: 404 without a body. */
const unknown: Answer = { status: 404, body: '' };

/** The research index, which is free: search, one paper, its passages, its relatives. */
export function paperEndpoints(): Endpoints {
	const path = '/v2/search/research/papers';
	return {
		[`GET ${path}`]: search,
		[`GET ${path}/:id`]: paper,
		[`GET ${path}/:id/similar`]: similar,
	};
}

function search(call: ApiCall): Answer {
	const { query, k = 40 } = parseBody(paperSearch, call.query);
	return { body: { success: true, results: searchPapers(query, k) } };
}

/** The records that fit best, whatever their authors, categories and dates. */
export const searchPapers = (query: string, count: number): object[] =>
	index
		.search(query)
		.slice(0, count)
		.map(({ item, score }) => record(item, score));

/** With `query` its passages, those that answer it first, without it what the index knows of the paper. */
function paper(call: ApiCall): Answer {
	const { query, k = 4 } = parseBody(paperRead, call.query);
	const found = find(call.params.id);
	if (!found) return unknown;
	const { passages: texts, cites, primaryId, ...shown } = found;
	if (query === undefined) return { body: { success: true, paper: shown } };
	const ranked = new TextIndex(texts, (text) => ({ text }), { text: 1 }).search(query);
	const scores = new Map(ranked.map(({ item, score }) => [item, rounded(score)]));
	const passages = [...new Set([...scores.keys(), ...texts])]
		.slice(0, k)
		.map((text) => ({ text, score: scores.get(text) ?? 0 }));
	return { body: { success: true, paperId: found.paperId, query, paper: shown, passages } };
}

/** The papers that cite this one, or that it cites, whatever is asked of them. */
function similar(call: ApiCall): Answer {
	const { k = 40 } = parseBody(paperSimilar, call.query);
	const seed = find(call.params.id);
	if (!seed) return unknown;
	const pool = papers
		.filter(({ cites, paperId }) => cites.includes(seed.paperId) || seed.cites.includes(paperId))
		.map((each) => ({ ...record(each, 0.5), signals: { seedOverlap: 1, semantic: 0.5 } }));
	const facts = { poolSize: pool.length, truncated: pool.length > k };
	return { body: { success: true, results: pool.slice(0, k), ...facts } };
}

/** The paper behind an ID: `paperId`, `namespace:id`, or an address of arXiv. */
function find(text: string): Paper | undefined {
	const id = text.trim().replace(/^https?:\/\/arxiv\.org\/(?:abs|pdf)\//i, 'arxiv:');
	const [, namespace = '', value = ''] = /^(arxiv|pmid|pmcid|doi):(.+)$/i.exec(id) ?? [];
	return papers.find(({ paperId, ids }) =>
		value === '' ? paperId === id : ids[namespace.toLowerCase()]?.includes(value),
	);
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000;

/** A paper as lists of results show it. */
const record = ({ paperId, primaryId, ids, title, abstract }: Paper, score: number) => ({
	...{ paperId, primaryId, ids, title, abstract },
	score: rounded(score),
});
