import { z } from 'zod/v4';

import { badRequest, type Detail } from '../errors.cjs';

/** A strict object: the service refuses keys that it does not know, at every level. */
export const strict = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape);

export const unknownKey =
	'Unrecognized key in body -- please review the v2 API documentation for request body changes';

/** Issues that leave a value's type right: what was meant is known. */
const mild = new Set<unknown>(['custom', 'invalid_format', 'too_big', 'too_small']);

/** The issues of a refusal; of a union that misses the one branch that was meant, those of this branch. */
export function issuesOf({ issues }: z.core.$ZodError): Detail[] {
	return issues.flatMap((issue): Detail[] => {
		if (issue.code !== 'invalid_union') return [issue];
		const branches = issue.errors.filter((branch) => branch.every(({ code }) => mild.has(code)));
		if (branches.length !== 1) return [issue];
		return branches[0].map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
	});
}

/** The sentence of a 400: unknown keys come first, then a rule of the service's own, if it is the first issue. */
function sentenceOf(issues: readonly Detail[]): string {
	if (issues.some(({ code }) => code === 'unrecognized_keys')) return unknownKey;
	return issues[0]?.code === 'custom' ? issues[0].message : 'Bad Request';
}

/** Reads a request body, or throws the 400 with one detail per fault. `error` is the 400's sentence, if it is always the same. */
export function parseBody<T extends z.ZodType>(
	schema: T,
	body: unknown,
	error?: string,
): z.output<T> {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const issues = issuesOf(result.error);
	throw badRequest(issues, error ?? sentenceOf(issues));
}

/** The tools that the server's source lists; names that begin with `_` are nobody's. */
const integrations = (
	'dify zapier pipedream raycast langchain crewai llamaindex n8n camelai make flowise metagpt ' +
	'relevanceai viasocket cli hermes gstack prometheus'
).split(' ');

export const stamps = {
	origin: z.string().optional(),
	integration: z
		.string()
		.refine(
			(name) => name.startsWith('_') || integrations.includes(name),
			`Invalid enum value. Expected ${integrations.map((name) => `'${name}'`).join(' | ')}`,
		)
		.optional(),
};

/** Notes what a rule between the members of a body finds wrong, and where. */
export const refuse = (
	check: z.RefinementCtx,
	message: string,
	...path: Array<string | number>
): void => check.addIssue({ code: 'custom', message, path });

export const whole = (min: number, max = Number.MAX_SAFE_INTEGER) => z.int().min(min).max(max);

export const filled = z.string().regex(/\S/, 'Must not be blank');

export const day = z.iso.date('Expected YYYY-MM-DD');

/** Members of query strings that are no texts. */
const numbers = new Set(['k', 'limit', 'offset', 'skip']);
const lists = new Set(['anchor', 'authors', 'categories']);

/** A member of a query string as a body has it. Lists: the key repeated, or joined with commas. */
function typed(name: string, given: unknown): unknown {
	if (numbers.has(name) && /^-?\d+$/.test(String(given))) return Number(given);
	if (given === 'true' || given === 'false') return given === 'true';
	const parts = () => String(given).split(',');
	return lists.has(name) ? parts().map((part) => part.trim()) : given;
}

/** Reads a query string, or throws the 400. */
export const parseQueryString = <T extends z.ZodType>(schema: T, query: object): z.output<T> =>
	parseBody(
		schema,
		Object.fromEntries(Object.entries(query).map(([name, given]) => [name, typed(name, given)])),
		'Invalid query parameters',
	);

const address = z.url({ protocol: /^https?$/ });

/** `webhook` of a request: an address, or an object with it. `events` are the family's names. */
export const webhookConfig = (events: readonly [string, ...string[]]) =>
	z.preprocess(
		(given) => (typeof given === 'string' ? { url: given } : given),
		webhookObject(events),
	);

/** The object form, which is the only one for monitors. */
export const webhookObject = (events: readonly [string, ...string[]]) =>
	strict({
		url: address,
		headers: z.record(z.string(), z.string()).optional(),
		metadata: z.record(z.string(), z.string()).optional(),
		events: z.array(z.enum([...events])).optional(),
	}).superRefine(({ headers = {} }, check) => {
		const names = Object.keys(headers).map((name) => name.toLowerCase());
		const reserved = names.filter((name) => name.startsWith('x-firecrawl-'));
		if (reserved.length === 0) return;
		refuse(check, `The following headers are not allowed: ${reserved.join(', ')}`);
	});

/** Where a job's events go; all of them where none are named. */
export type WebhookConfig = z.output<ReturnType<typeof webhookObject>>;
