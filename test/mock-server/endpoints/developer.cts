import type { z } from 'zod';

import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { recordTypes, type DeveloperRecord } from '../developer.cjs';
import { endpoints, type Answer, type ApiCall, type ApiEndpoint } from '../pipeline.cjs';
import { parseBody } from '../schemas/body.cjs';
import {
	developerBody,
	developerQuery,
	governmentBody,
	governmentQuery,
	type DeveloperRequest,
	type GovernmentRequest,
} from '../schemas/developer.cjs';
import { parseQueryString } from '../schemas/query.cjs';
import type { Match } from '../search/textIndex.cjs';

/** `GET` and `POST` of `/search/developer`, and of `/search/gov`, which is free. */
export function developerEndpoints(context: Context): ApiEndpoint[] {
	const bodyOf = <T extends z.ZodTypeAny>(schema: T, { body }: ApiCall): z.output<T> =>
		parseBody(schema, body, 'Invalid query parameters');
	const developer = '/v2/search/developer';
	const scope = 'research';
	return endpoints(
		{ rate: 'developer', keyless: true },
		[
			`GET ${developer}`,
			(call) => answer(context, call, parseQueryString(developerQuery, call.query)),
			{ scope },
		],
		[`POST ${developer}`, (call) => answer(context, call, bodyOf(developerBody, call)), { scope }],
		['GET /v2/search/gov', ({ query }) => found(context, parseQueryString(governmentQuery, query))],
		['POST /v2/search/gov', (call) => found(context, bodyOf(governmentBody, call))],
	);
}

function found({ government }: Context, { query, k }: GovernmentRequest): Answer {
	return { body: { success: true, data: { web: government.search(query, k) } } };
}

function answer(context: Context, call: ApiCall, request: DeveloperRequest): Answer {
	const { developer } = context;
	const { query, k, passages, repos, sources, ...filter } = request;
	const found = developer.search(query, { ...filter, repos, sources }).slice(0, k);
	const credits = Math.ceil(found.length / 10) * 2;
	requireCredits(context, call.caller, credits);
	call.charge(credits);
	const looked = developer.typesFor({ ...filter, repos, sources });
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
