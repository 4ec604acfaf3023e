import { readData } from './data.cjs';
import { badRequest, type Detail } from './errors.cjs';
import type { Answer } from './pipeline.cjs';
import { unknownKey } from './schemas/body.cjs';

/** Ages of servers: that of the recordings, and the newest. */
export const ages = ['2026-08', 'newest'] as const;
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
	/** Endpoints that came later. */
	lacks: Row[];
	/** Members of requests that older servers refuse, by the way to them. */
	members: Array<Row & { members: string[] }>;
	/** Answers in the place of what is lacking, to requests that are right. */
	ownMachine: Array<Row & { answer: Answer }>;
}>('data/servers.json');

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

function matches(pattern: string, endpoint: string): boolean {
	const [method, path] = pattern.split(' ');
	const steps = path.replace(':uuid', uuid).replace(':id', '[^/]+').replace('*', '.*');
	return new RegExp(`^(${method.replace('*', '[A-Z]+')}) /v2${steps}/?$`, 'i').test(endpoint);
}

const names = ({ endpoints }: Row, endpoint: string): boolean =>
	endpoints.some((pattern) => matches(pattern, endpoint));

/** Whether a server of this profile has no such endpoint. */
export function lacksEndpoint({ age }: ServerProfile, endpoint: string): boolean {
	return age !== 'newest' && servers.lacks.some((each) => names(each, endpoint));
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
	if (age === 'newest') return;
	const unknown = servers.members
		.filter((row) => names(row, endpoint))
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

/** What a server on somebody's own machine answers in the place of what it lacks, to requests that are right. */
export const answerOfLack = (
	{ selfHosted }: ServerProfile,
	endpoint: string,
): Answer | undefined =>
	selfHosted ? servers.ownMachine.find((each) => names(each, endpoint))?.answer : undefined;

/** An answer as such a server gives it: of credits that it does not know. */
export function reshaped({ selfHosted }: ServerProfile, endpoint: string, answer: Answer): Answer {
	const { body } = answer;
	const isJob = names({ endpoints: ['GET /crawl/:id', 'GET /batch/scrape/:id'] }, endpoint);
	if (!selfHosted || !isJob || typeof body !== 'object' || body === null) return answer;
	return { ...answer, body: { ...body, ...('creditsUsed' in body && { creditsUsed: -1 }) } };
}
