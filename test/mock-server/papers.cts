import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

import { projectRoot } from '../root.cjs';
import { CitationGraph } from './paperGraph.cjs';
import { TextIndex } from './search/textIndex.cjs';

/** A paper of the research index, own-made. `ids` lists its identifiers by namespace. */
export interface Paper {
	paperId: string;
	/** Preferred identifier, with its namespace in front. */
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
	/** YYYY-MM-DD. */
	created: string;
	updated: string;
	/** Passages of the full text; empty when only the abstract is indexed. */
	passages: string[];
	/** `paperId`s of the references that are in the index. */
	cites: string[];
}

export type PaperRecord = Paper & { score: number };

export interface PaperFilter {
	/** Parts of names, in any case; all must match. */
	authors?: readonly string[];
	/** All must match. */
	categories?: readonly string[];
	/** The created or the updated date lies in the window, its ends included. */
	from?: string;
	to?: string;
}

const recordsSchema: z.ZodType<IndexedPaper[]> = z.array(
	z
		.object({
			paperId: z.string(),
			primaryId: z.string(),
			ids: z.record(z.array(z.string())),
			title: z.string(),
			abstract: z.string(),
			authors: z.array(z.string()),
			categories: z.array(z.string()).optional(),
			created: z.string(),
			updated: z.string(),
			passages: z.array(z.string()),
			cites: z.array(z.string()),
		})
		.strict(),
);

/** The research index: records of papers that do not exist elsewhere. */
export class Papers {
	readonly all: readonly IndexedPaper[] = recordsSchema.parse(
		JSON.parse(readFileSync(join(projectRoot, 'test/mock-server/data/papers.json'), 'utf8')),
	);
	readonly citations = new CitationGraph(this.all);
	private readonly index = new TextIndex<IndexedPaper>(
		this.all,
		({ title, abstract }) => ({ title, abstract }),
		{ title: 3, abstract: 1 },
	);

	/** At most `count` records, best first; scores are not normalised. */
	search(text: string, count: number, filter: PaperFilter = {}): PaperRecord[] {
		return this.index
			.search(text)
			.filter(({ item }) => passes(item, filter))
			.slice(0, count)
			.map(({ item, score }) => record(item, score));
	}

	/** Scores of all papers that match a text, by `paperId`. */
	scores(text: string): Map<string, number> {
		return new Map(
			this.index.search(text).map(({ item, score }) => [item.paperId, rounded(score)]),
		);
	}

	/**
	 * The paper behind an id of any form: `paperId`, `namespace:id`, a bare arXiv id, or an address of
	 * arXiv or of a DOI.
	 */
	find(id: string): IndexedPaper | undefined {
		const text = id.trim();
		if (/^\d+$/.test(text)) return this.all.find(({ paperId }) => paperId === text);
		const key = identifier(text);
		return (
			key &&
			this.all.find(({ ids }) =>
				ids[key.namespace]?.some((each) => each.toLowerCase() === key.value.toLowerCase()),
			)
		);
	}

	/** The passages that answer a question best, up to `count`; those that have nothing to do with it last. */
	read(
		{ passages }: IndexedPaper,
		question: string,
		count: number,
	): Array<{ text: string; score: number }> {
		const index = new TextIndex(passages, (text) => ({ text }), { text: 1 });
		const found = index
			.search(question)
			.map(({ item, score }) => ({ text: item, score: rounded(score) }));
		const rest = passages.filter((text) => !found.some((each) => each.text === text));
		return [...found, ...rest.map((text) => ({ text, score: 0 }))].slice(0, count);
	}
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
	{ authors, categories = [], created, updated }: IndexedPaper,
	filter: PaperFilter,
): boolean {
	const names = authors.join('\n').toLowerCase();
	if (filter.authors?.some((part) => !names.includes(part.toLowerCase()))) return false;
	if (filter.categories?.some((each) => !categories.includes(each))) return false;
	return [created, updated].some(
		(date) => date >= (filter.from ?? '') && date <= (filter.to ?? '9999-12-31'),
	);
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000;
