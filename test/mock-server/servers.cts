import { readData } from './data.cjs';
import { badRequest, type Detail } from './errors.cjs';
import type { Answer } from './pipeline.cjs';
import { parseAgent } from './schemas/agent.cjs';
import { parseBody, unknownKey } from './schemas/body.cjs';
import { createMonitor, parseMonitorBody } from './schemas/monitor.cjs';
import { executeRequest, sessionRequest } from './schemas/toolCalls.cjs';

/** Ages of servers, oldest first (docs/api-notes.md, Endpoints by age of the server). */
export const ages = ['2025-08', '2026-04', '2026-08', 'newest'] as const;
export type Age = (typeof ages)[number];

/** A server as it was at a time, at the hosted service or on somebody's own machine. */
export interface ServerProfile {
	age: Age;
	selfHosted: boolean;
}

interface Row {
	/** `<method> <path>` without `/v2`: `:uuid` and `:id` are one step, a path's `*` is any number, a method's is any. */
	endpoints: string[];
}

/** What not every server has, by age; and what a machine without the service's database and browsers answers. */
const servers = readData<{
	/** Endpoints that came later, or that no own machine has. The first row that names an endpoint counts. */
	lacks: Array<Row & { since: Age; onOwnMachine?: 'never' }>;
	/** Members of requests that older servers refuse, by the way to them. */
	members: Array<Row & { since: Age; members: string[] }>;
	/** Answers in the place of what is lacking, to requests that are right. */
	ownMachine: Array<Row & { until?: Age; answer: Answer }>;
}>('data/servers.json');

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

function matches(pattern: string, endpoint: string): boolean {
	const [method, path] = pattern.split(' ');
	const steps = path.replace(':uuid', uuid).replace(':id', '[^/]+').replace('*', '.*');
	return new RegExp(`^(${method.replace('*', '[A-Z]+')}) /v2${steps}/?$`, 'i').test(endpoint);
}

const names = ({ endpoints }: Row, endpoint: string): boolean =>
	endpoints.some((pattern) => matches(pattern, endpoint));

const checks: ReadonlyArray<[pattern: string, check: (body: unknown) => unknown]> = [
	['POST /agent', parseAgent],
	['POST /monitor', (body) => parseMonitorBody(createMonitor(Date.now()), body)],
	['POST /interact', (body) => parseBody(sessionRequest, body ?? {})],
	['POST /interact/:uuid/execute', (body) => parseBody(executeRequest, body)],
];

const isOlder = (one: Age, other: Age) => ages.indexOf(one) < ages.indexOf(other);

/** Whether a server of this profile has no such endpoint. */
export function lacksEndpoint({ age, selfHosted }: ServerProfile, endpoint: string): boolean {
	const row = servers.lacks.find((each) => names(each, endpoint));
	if (!row) return false;
	return isOlder(age, row.since) || (selfHosted && row.onOwnMachine === 'never');
}

const has = (body: unknown, member: string): boolean =>
	member.split('.').reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), body) !==
	undefined;

/** Throws the 400 for members that came later than the server. */
export function refuseUnknownMembers(
	{ age }: ServerProfile,
	endpoint: string,
	body: unknown,
): void {
	const unknown = servers.members
		.filter((row) => names(row, endpoint) && isOlder(age, row.since))
		.flatMap(({ members }) => members.filter((member) => has(body, member)));
	if (unknown.length === 0) return;
	const issues = unknown.map((member): Detail & { keys: string[] } => {
		const path = member.split('.');
		const key = path.pop() ?? '';
		const message = `Unrecognized key: "${key}"`;
		return { code: 'unrecognized_keys', keys: [key], path, message };
	});
	throw badRequest(issues, unknownKey);
}

/** What a server answers in the place of what it lacks, whatever it is asked; undefined where it lacks nothing. */
export const lackOf = ({ age, selfHosted }: ServerProfile, endpoint: string): Answer | undefined =>
	selfHosted
		? servers.ownMachine.find(
				(each) => names(each, endpoint) && !isOlder(each.until ?? 'newest', age),
			)?.answer
		: undefined;

/** As `lackOf`, for requests that are right. @throws the refusal of any other */
export function answerOfLack(
	{ age, selfHosted }: ServerProfile,
	endpoint: string,
	body: unknown,
): Answer | undefined {
	const answer = lackOf({ age, selfHosted }, endpoint);
	if (answer) checks.find(([pattern]) => matches(pattern, endpoint))?.[1](body);
	return answer;
}

/** An answer as such a server gives it: credits that it does not know, and the scheme that old ones take for theirs. */
export function reshaped(
	{ age, selfHosted }: ServerProfile,
	endpoint: string,
	answer: Answer,
): Answer {
	const { body } = answer;
	const isJob = names({ endpoints: ['GET /crawl/:id', 'GET /batch/scrape/:id'] }, endpoint);
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
