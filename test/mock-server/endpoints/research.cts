import type { z } from 'zod/v4';

import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { type DeveloperRecord, recordTypes } from '../developer.cjs';
import { identifier, type IndexedPaper, record } from '../papers.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { resultCredits } from '../prices.cjs';
import { parseBody, parseQueryString } from '../schemas/body.cjs';
import {
	developerRequest,
	type DeveloperRequest,
	governmentRequest,
	paperRead,
	paperSearch,
	paperSimilar,
} from '../schemas/papers.cjs';
import type { Match } from '../search/textIndex.cjs';

const defaultPassages = 4;

/** The research index, which is free: search, one paper, its passages, its relatives. */
export function paperEndpoints(context: Context): ApiEndpoint[] {
	const papers = '/v2/search/research/papers';
	return endpoints(
		{ scope: 'research', rate: 'research', keyless: true },
		[`GET ${papers}`, (call) => search(context, call)],
		[`GET ${papers}/:id`, (call) => paper(context, call)],
		[`GET ${papers}/:id/similar`, (call) => similar(context, call)],
	);
}

/** Two credits per started ten results; ten where zero data retention is enforced. */
function chargeResults(context: Context, call: ApiCall, count: number): void {
	const credits = resultCredits(count);
	requireCredits(context, call.caller, credits);
	call.charge(credits);
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

/** `GET` and `POST` of `/search/developer` and of `/search/gov`. Some documentation calls the latter free. */
export function developerEndpoints(context: Context): ApiEndpoint[] {
	/** The same request, in the query string or as a body. */
	const both = <T extends z.ZodType>(
		path: `/${string}`,
		schema: T,
		answer: (call: ApiCall, request: z.output<T>) => Answer,
		own: Partial<Pick<ApiEndpoint, 'scope'>> = {},
	) =>
		endpoints(
			{ rate: 'developer', keyless: true, ...own },
			[`GET ${path}`, (call) => answer(call, parseQueryString(schema, call.query))],
			[
				`POST ${path}`,
				(call) => answer(call, parseBody(schema, call.body, 'Invalid query parameters')),
			],
		);
	return [
		...both(
			'/v2/search/developer',
			developerRequest,
			(call, request) => developer(context, call, request),
			{ scope: 'research' },
		),
		...both('/v2/search/gov', governmentRequest, (call, { query, k }) => {
			const web = context.government.search(query, k);
			chargeResults(context, call, web.length);
			return { body: { success: true, data: { web } } };
		}),
	];
}

function developer(context: Context, call: ApiCall, request: DeveloperRequest): Answer {
	const { developer: index } = context;
	const { query, k, passages, ...filter } = request;
	const { repos, sources } = filter;
	const found = index.search(query, filter).slice(0, k);
	chargeResults(context, call, found.length);
	const looked = index.typesFor(filter);
	const coverage = recordTypes.map((type) => [type, looked.includes(type) ? 'ok' : 'skipped']);
	return {
		body: {
			success: true,
			results: found.map((match) => view(context, match, passages)),
			coverage: Object.fromEntries(coverage),
			reranked: true,
			...(repos && { repos: repos.map((repo) => repoStatus(context, repo)) }),
			...(sources && { sources: sources.map((source) => sourceStatus(context, source)) }),
		},
	};
}

function view(
	context: Context,
	match: Match<DeveloperRecord>,
	count: number,
): Record<string, unknown> {
	const { id, type, url, title, repo, passages } = match.item;
	const repository = repo === undefined ? undefined : context.developer.repository(repo);
	return {
		id,
		type,
		url,
		title,
		passages: passages.slice(0, count).map((text) => ({ text, citation_url: url })),
		...(repository && {
			license: {
				state: repository.license === null ? 'known_absent' : 'licensed',
				spdx_id: repository.license,
			},
		}),
	};
}

function repoStatus({ developer }: Context, name: string): Record<string, unknown> {
	const repository = developer.repository(name);
	const holds = (type: string): boolean =>
		developer.records.some((each) => each.repo === repository?.repo && each.type === type);
	const indexed = repository !== undefined;
	return {
		repo: name,
		indexed,
		types: {
			issue: indexed && holds('issue'),
			pullRequest: indexed && holds('pull_request'),
			readme: indexed && holds('readme'),
		},
	};
}

function sourceStatus({ developer }: Context, source: string): Record<string, unknown> {
	const indexed = developer.records.some((each) => each.source === source.toLowerCase());
	return { source, indexed };
}
