import { z } from 'zod';

import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { passagesOf, recordTypes, type DeveloperRecord } from '../developer.cjs';
import type { Answer, ApiCall, ApiEndpoint, Endpoint } from '../pipeline.cjs';
import { parseBody, strict } from '../schemas/body.cjs';
import { developerBody, developerQuery, type DeveloperRequest } from '../schemas/developer.cjs';
import { parseQueryString } from '../schemas/query.cjs';
import type { Match } from '../search/textIndex.cjs';

/** `GET` and `POST /search/developer`, and what is out of order in the index. */
export function developerEndpoints(context: Context): Endpoint[] {
	const search = (
		method: 'GET' | 'POST',
		read: (call: ApiCall) => DeveloperRequest,
	): ApiEndpoint => ({
		method,
		path: '/v2/search/developer',
		scope: 'research',
		rate: 'developer',
		keyless: true,
		handle: (call) => answer(context, call, read(call)),
	});
	return [
		search('GET', ({ query }) => parseQueryString(developerQuery, query)),
		search('POST', ({ body }) => parseBody(developerBody, body, 'Invalid query parameters')),
		{
			method: 'POST',
			path: '/_control/developer',
			open({ body }) {
				const { type, state } = parseBody(trouble, body);
				if (state === 'ok') context.developer.trouble.delete(type);
				else context.developer.trouble.set(type, state);
				return { body: { ok: true } };
			},
		},
	];
}

const trouble = strict({
	type: z.enum(recordTypes),
	state: z.enum(['ok', 'degraded', 'unavailable']),
});

function answer(context: Context, call: ApiCall, request: DeveloperRequest): Answer {
	const { developer } = context;
	const { query, k, passages, repos, sources, ...filter } = request;
	const found = developer.search(query, { ...filter, repos, sources }).slice(0, k);
	const credits = Math.ceil(found.length / 10) * 2;
	requireCredits(context, call.caller, credits);
	call.charge(credits);
	const looked = developer.typesFor({ ...filter, repos, sources });
	const coverage = recordTypes.map((type) => [
		type,
		looked.includes(type) ? (developer.trouble.get(type) ?? 'ok') : 'skipped',
	]);
	return {
		body: {
			success: true,
			results: found.map((match) => view(context, match, passages)),
			coverage: Object.fromEntries(coverage),
			reranked: !looked.some((type) => developer.trouble.has(type)),
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
	const { id, type, url, title, repo } = match.item;
	const repository = repo === undefined ? undefined : context.developer.repository(repo);
	return {
		id,
		type,
		url,
		title,
		passages: passagesOf(match, count).map((text) => ({ text, citation_url: url })),
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
