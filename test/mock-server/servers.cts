import { readReport } from './endpoints/feedback.cjs';
import { badRequest, type Detail } from './errors.cjs';
import type { Answer } from './pipeline.cjs';
import { parseAgent } from './schemas/agent.cjs';
import { parseBody } from './schemas/body.cjs';
import { endpointFeedback, searchFeedback } from './schemas/feedback.cjs';
import { createMonitor, parseMonitorBody } from './schemas/monitor.cjs';
import { executeRequest, sessionRequest } from './schemas/sessions.cjs';

/** Ages of servers, oldest first (docs/api-notes.md, Endpoints by age of the server). */
export const ages = ['2025-08', '2026-04', '2026-08', 'newest'] as const;
export type Age = (typeof ages)[number];

/** A server as it was at a time, at the hosted service or on somebody's own machine. */
export interface ServerProfile {
	age: Age;
	selfHosted: boolean;
}

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const at = (method: string, path: string) => new RegExp(`^(${method}) /v2${path}/?$`, 'i');

/** Endpoints that not every server has: since when; `never` on one's own machine. */
const endpoints: ReadonlyArray<[endpoint: RegExp, since: Age, onOwnMachine?: 'never']> = [
	[at('POST', '/parse'), '2026-04'],
	[at('POST|DELETE', '/scrape/[^/]+/interact'), '2026-04'],
	[at('POST', '/agent'), '2026-04'],
	[at('GET|DELETE', `/agent/(?!threads)[^/]+`), '2026-04'],
	[at('GET', '/batch/scrape/[^/]+/errors'), '2026-04'],
	[at('GET', '/team/(queue-status|credit-usage/historical|activity)'), '2026-04'],
	[at('[A-Z]+', '/monitor(/.*)?'), '2026-08'],
	[at('POST', '/search/[^/]+/feedback'), '2026-08'],
	[at('POST', '/feedback'), '2026-08'],
	[at('POST', '/parse/upload-url'), '2026-08'],
	[at('DELETE', '/interact/profiles/[^/]+'), 'newest'],
	[at('[A-Z]+', '/interact(/.*)?'), '2026-08'],
	[at('GET', '/agent/[^/]+/(trace|snapshots/.*)'), '2026-08'],
	[at('GET', '/agent'), 'newest'],
	[at('GET', '/agent/threads/[^/]+'), 'newest'],
	[at('GET', '/parse/formats'), 'newest'],
	[at('[A-Z]+', '/search/gov'), 'newest', 'never'],
	[at('[A-Z]+', '/search/(research|developer)(/.*)?'), '2026-08', 'never'],
];

/** Members of requests that older servers refuse, by the way to them. */
const members: ReadonlyArray<[endpoint: RegExp, since: Age, members: string[]]> = [
	[at('POST', '/agent'), 'newest', ['effort', 'threadId', 'mode', 'exchange']],
	[
		at('POST', '/scrape'),
		'newest',
		['alexandria', 'domainTools', 'toolDetail', 'checkPromptInjection'],
	],
	[at('POST', '/(batch/scrape|parse)'), 'newest', ['checkPromptInjection']],
	[
		at('POST', '/search'),
		'newest',
		['domainTools', 'toolDetail', 'objective', 'clientModel', 'scrapeOptions.checkPromptInjection'],
	],
	[at('POST', '/crawl'), 'newest', ['scrapeOptions.checkPromptInjection']],
];

const noDatabase: Answer = {
	status: 500,
	body: {
		success: false,
		code: 'UNKNOWN_ERROR',
		error: 'An error occurred. Please check your logs for more details. Error ID: 675af025c8b0',
	},
};
const failing = (status: number, error: string, more: object = {}): Answer => ({
	status,
	body: { success: false, error, ...more },
});
const noBrowser = failing(
	503,
	'Browser feature is not configured (BROWSER_SERVICE_URL is missing).',
);
const noFeedback = failing(503, 'Feedback requires database authentication and is unavailable.', {
	feedbackErrorCode: 'DB_DISABLED',
});
const noInteraction = failing(
	501,
	'Scrape interact requires stored scrape context and is not available when database authentication is disabled.',
);

/** What a machine without the service's database and browsers answers, to requests that are right. */
const lacking: ReadonlyArray<{
	endpoint: RegExp;
	since?: Age;
	until?: Age;
	check?: (body: unknown) => unknown;
	answer: Answer;
}> = [
	{
		endpoint: at('GET|HEAD', '/team/(credit|token)-usage'),
		until: '2025-08',
		answer: { body: { success: true, data: { remainingCredits: 99_999_999 } } },
	},
	{ endpoint: at('GET|HEAD', '/team/(credit|token)-usage(/historical)?'), answer: noDatabase },
	{ endpoint: at('GET', '/team/activity'), answer: failing(500, 'Failed to fetch activity.') },
	{ endpoint: at('GET', '/concurrency-check'), until: '2025-08', answer: noDatabase },
	{
		endpoint: at('GET', '/concurrency-check'),
		until: '2026-04',
		answer: failing(401, 'Unauthorized'),
	},
	{ endpoint: at('POST', '/agent'), check: parseAgent, answer: noDatabase },
	{
		endpoint: at('GET|DELETE', `/agent/${uuid}(/trace)?`),
		answer: failing(404, 'Agent job not found'),
	},
	{
		endpoint: at('GET', '/agent'),
		answer: failing(501, 'Listing agents is not supported when self-hosted.'),
	},
	{
		endpoint: at('POST', '/monitor'),
		check: (body) => parseMonitorBody(createMonitor(Date.now()), body),
		answer: noDatabase,
	},
	{ endpoint: at('GET', '/monitor'), answer: noDatabase },
	{ endpoint: at('[A-Z]+', `/monitor/${uuid}(/.*)?`), answer: noDatabase },
	{ endpoint: at('POST', '/scrape/[^/]+/interact'), answer: noInteraction },
	{ endpoint: at('DELETE', '/scrape/[^/]+/interact'), answer: noDatabase },
	{ endpoint: at('GET', '/interact'), answer: noDatabase },
	{
		endpoint: at('POST', '/interact'),
		check: (body) => parseBody(sessionRequest, body ?? {}),
		answer: noBrowser,
	},
	{
		endpoint: at('POST', `/interact/${uuid}/execute`),
		check: (body) => parseBody(executeRequest, body),
		answer: noDatabase,
	},
	{ endpoint: at('DELETE', '/interact/.+'), answer: noBrowser },
	{ endpoint: at('GET', `/interact/${uuid}/replay`), answer: noBrowser },
	{
		endpoint: at('POST', '/feedback'),
		check: (body) => readReport(endpointFeedback, body),
		answer: noFeedback,
	},
	{
		endpoint: at('POST', `/search/${uuid}/feedback`),
		check: (body) => readReport(searchFeedback, body),
		answer: noFeedback,
	},
	{
		endpoint: at('POST', '/parse/upload-url'),
		answer: failing(503, 'Parse upload references are not configured.', {
			code: 'PARSE_UPLOAD_REF_SECRET_MISSING',
		}),
	},
];

const isOlder = (one: Age, other: Age) => ages.indexOf(one) < ages.indexOf(other);

/** Whether a server of this profile has no such endpoint. */
export const lacksEndpoint = ({ age, selfHosted }: ServerProfile, endpoint: string): boolean => {
	const [, since, onOwnMachine] = endpoints.find(([pattern]) => pattern.test(endpoint)) ?? [];
	return (since !== undefined && isOlder(age, since)) || (selfHosted && onOwnMachine === 'never');
};

const sentence =
	'Unrecognized key in body -- please review the v2 API documentation for request body changes';

/** Whether a request has a member, given by the way to it. */
const has = (body: unknown, member: string): boolean =>
	member.split('.').reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), body) !==
	undefined;

/** Throws the 400 for members that came later than the server: in the words of the schema library of its time. */
export function refuseUnknownMembers(
	{ age }: ServerProfile,
	endpoint: string,
	body: unknown,
): void {
	const unknown = members
		.filter(([pattern, since]) => pattern.test(endpoint) && isOlder(age, since))
		.flatMap(([, , names]) => names.filter((name) => has(body, name)));
	if (unknown.length === 0) return;
	const issues = unknown.map((member): Detail & { keys: string[] } => {
		const path = member.split('.');
		const key = path.pop() ?? '';
		const message = age === '2025-08' ? sentence : `Unrecognized key: "${key}"`;
		return { code: 'unrecognized_keys', keys: [key], path, message };
	});
	throw badRequest(issues, age === '2025-08' ? 'Bad Request' : sentence);
}

/** What a server on somebody's own machine answers in the place of what it lacks; undefined where it lacks nothing. */
export function answerOfLack(
	{ age, selfHosted }: ServerProfile,
	endpoint: string,
	body: unknown,
): Answer | undefined {
	const row = lacking.find(
		({ endpoint: pattern, until = 'newest', since = ages[0] }) =>
			pattern.test(endpoint) && !isOlder(until, age) && !isOlder(age, since),
	);
	if (!selfHosted || !row) return undefined;
	row.check?.(body);
	return row.answer;
}

/** An answer as such a server gives it: credits that it does not know, and the scheme that old ones take for theirs. */
export function reshaped(
	{ age, selfHosted }: ServerProfile,
	endpoint: string,
	answer: Answer,
): Answer {
	const { body } = answer;
	const isJob = at('GET', '/(crawl|batch/scrape)/[^/]+').test(endpoint);
	if (!selfHosted || !isJob || typeof body !== 'object' || body === null) return answer;
	const next: unknown = Reflect.get(body, 'next');
	return {
		...answer,
		body: {
			...body,
			...('creditsUsed' in body && { creditsUsed: -1 }),
			...(age === '2025-08' &&
				typeof next === 'string' && { next: next.replace(/^http:/, 'https:') }),
		},
	};
}
