import type { Context } from '../context.cjs';
import { ApiError } from '../errors.cjs';
import { identifier, type IndexedPaper, record } from '../papers.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { parseQueryString } from '../schemas/body.cjs';
import { paperRead, paperSearch, paperSimilar } from '../schemas/papers.cjs';

const defaultPassages = 4;

/** The research index, which is free: search, one paper, its passages, its relatives. */
export function paperEndpoints(context: Context): ApiEndpoint[] {
	const papers = '/v2/search/research/papers';
	const hosted = (handle: (call: ApiCall) => Answer) => (call: ApiCall) => {
		if (context.options.authentication) return handle(call);
		throw new ApiError(501, { error: 'Research service is not configured' });
	};
	return endpoints(
		{ scope: 'research', rate: 'research', keyless: true },
		[`GET ${papers}`, hosted((call) => search(context, call))],
		[`GET ${papers}/:id`, hosted((call) => paper(context, call))],
		[`GET ${papers}/:id/similar`, hosted((call) => similar(context, call))],
	);
}

function search(context: Context, call: ApiCall): Answer {
	const { query, k, ...filter } = parseQueryString(paperSearch, call.query);
	const results = context.papers.search(query, k, filter);
	return { body: { success: true, results } };
}

/** With `query` the passages that answer it, without it what the index knows of the paper. */
function paper(context: Context, call: ApiCall): Answer {
	const { query, k = defaultPassages } = parseQueryString(paperRead, call.query);
	const found = context.papers.find(call.params.id);
	if (!found) return unknown(call.params.id);
	const shown = metadata(found);
	if (query === undefined) return { body: { success: true, paper: shown } };
	const passages = context.papers.read(found, query, k);
	return { body: { success: true, paperId: found.paperId, query, paper: shown, passages } };
}

function similar(context: Context, call: ApiCall): Answer {
	const request = parseQueryString(paperSimilar, call.query);
	const { papers } = context;
	const seed = papers.find(call.params.id);
	if (!seed) return unknown(call.params.id);
	const anchors = (request.anchor ?? []).flatMap((id) => papers.find(id) ?? []);
	const { mode, intent, rerank } = request;
	const pool = papers
		.related([...new Set([seed, ...anchors])], mode, intent)
		.map(({ paper: found, signals }) => {
			const { structural, articleRank, semantic } = signals;
			const score = structural + articleRank + (rerank ? semantic : 0);
			return { ...record(found, score), signals };
		})
		.sort((a, b) => b.score - a.score);
	const results = pool.slice(0, request.k);
	return {
		body: {
			success: true,
			results,
			poolSize: pool.length,
			truncated: pool.length > results.length,
			...(pool.length === 0 && { note: `The index knows no ${mode} of this paper.` }),
		},
	};
}

function metadata(paper: IndexedPaper): Record<string, unknown> {
	const { paperId, ids, title, abstract, authors, categories, created, updated } = paper;
	return {
		paperId,
		ids,
		title,
		abstract,
		authors: authors.join(', '),
		...(categories && { categories }),
		createdDate: created,
		updateDate: updated,
	};
}

/** 404 without a body; ids of no known form are refused by the index itself, with an RFC 7807 document. */
function unknown(id: string): Answer {
	if (/^\d+$/.test(id) || identifier(id)) return { status: 404, body: '' };
	return {
		status: 400,
		headers: { 'content-type': 'application/problem+json' },
		body: {
			type: 'invalid_paper_id',
			title: 'Invalid paper id',
			status: 400,
			detail: `"${id}" is no paper id: give a paperId, arxiv:, pmid:, pmcid: or doi:.`,
		},
	};
}
