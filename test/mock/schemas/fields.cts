import { isIP } from 'node:net';
import { z } from 'zod/v4';

import { ApiError, badRequest, type Detail } from '../errors.cjs';

/** A strict object: the service refuses keys that it does not know, at every level. */
export const strict = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape);

/** A strict object whose members may all be missing. */
export const optional = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape).partial();

const unknownKey =
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

/** Reads a request body, or throws the 400 with one detail per fault. */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const issues = issuesOf(result.error);
	throw badRequest(issues, sentenceOf(issues));
}

/** What says where a request comes from. */
export const stamps = { origin: z.string().optional(), integration: z.string().optional() };

/** Notes what a rule between the members of a body finds wrong, and where. */
export const refuse = (
	check: z.RefinementCtx,
	message: string,
	...path: Array<string | number>
): void => check.addIssue({ code: 'custom', message, path });

export const whole = (min: number, max = Number.MAX_SAFE_INTEGER) => z.int().min(min).max(max);

/** A whole number of a query string. */
export const counted = (min: number, max = Number.MAX_SAFE_INTEGER) =>
	z.coerce.number().int().min(min).max(max);

export const filled = z.string().regex(/\S/, 'Must not be blank');

/** `webhook` of a monitor, which has no other form. `events` are the family's names. */
export const webhookObject = (events: readonly [string, ...string[]]) =>
	strict({
		url: z.url({ protocol: /^https?$/ }),
		headers: z.record(z.string(), z.string()).optional(),
		metadata: z.record(z.string(), z.string()).optional(),
		events: z.array(z.enum([...events])).optional(),
	}).superRefine(({ headers = {} }, check) => {
		const names = Object.keys(headers).map((name) => name.toLowerCase());
		const reserved = names.filter((name) => name.startsWith('x-firecrawl-'));
		if (reserved.length === 0) return;
		refuse(check, `The following headers are not allowed: ${reserved.join(', ')}`);
	});

/** `webhook` of a job: the same, or its address alone. */
export const webhookConfig = (events: readonly [string, ...string[]]) =>
	z.preprocess(
		(given) => (typeof given === 'string' ? { url: given } : given),
		webhookObject(events),
	);

/** Where a job's events go; all of them where none are named. */
export type WebhookConfig = z.output<ReturnType<typeof webhookObject>>;

const hostname =
	/^(?=.{1,253}$)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

const withScheme = (text: string): string =>
	/^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text.trim() : `http://${text.trim()}`;

const isAddress = (host: string): boolean => isIP(host.replace(/^\[|\]$/g, '')) > 0;

/** The address of a page, completed with `http://`, and normalized; undefined unless its host is an IP address or a whole name. */
export function pageUrl(text: string): string | undefined {
	const absolute = withScheme(text);
	const { protocol = '', hostname: host = '', href } = parseUrl(absolute) ?? {};
	// What looks like a second scheme or a port comes before the first dot: `http://http://example.com`.
	const [start] = absolute.split('.');
	const isDoubled = start.replace(/\[.*/, '').split(':').length > 2;
	if (isDoubled || !/^https?:$/.test(protocol)) return undefined;
	return isAddress(host) || hostname.test(host) ? href : undefined;
}

/** Whether a text's host ends with a top-level domain, or is an IP address. */
const hasTopLevel = (text: string): boolean =>
	/\.[\p{L}\p{N}-]{2,}(:\d+)?([/?#]|$)/u.test(text) || isAddress(parseUrl(text)?.hostname ?? '');

export const url = z.preprocess(
	(given) => (typeof given === 'string' ? withScheme(given) : given),
	z
		.url()
		.regex(/^https?:\/\//i, 'URL uses unsupported protocol')
		.refine(hasTopLevel, 'URL must have a valid top-level domain or be an IP address')
		.refine(
			(text) => pageUrl(text) !== undefined || (!hasTopLevel(text) && parseUrl(text)),
			'Invalid URL',
		)
		.transform((text) => pageUrl(text) ?? text),
);

/** Host names as search takes them: trimmed and lower-cased, then nothing but a name. */
export const domain = z
	.string()
	.transform((text) => text.trim().toLowerCase())
	.refine(
		(text) => hostname.test(text),
		'Domain must be a valid hostname without protocol or path',
	);

const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** `location` of a scrape: a country in any case. */
export const location = optional({
	country: z
		.string()
		.refine(
			(code) => /^[a-z]{2}$/i.test(code) && countries.of(code.toUpperCase()) !== undefined,
			'Invalid country code. Use a valid ISO 3166-1 alpha-2 country code.',
		),
	languages: z.array(z.string().min(1)),
});

const threatDomains = z.array(
	z.string().refine((text) => /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(text), {
		error: ({ input }) =>
			`Invalid domain entry "${String(input)}": must be a plain domain like "example.com" or a wildcard glob like "*.example.com" (no protocol, path, or port)`,
	}),
);

export const threatProtection = optional({ blacklist: threatDomains, whitelist: threatDomains });

export const profile = strict({
	name: z
		.string()
		.min(1)
		.refine((text) => Buffer.byteLength(text) <= 128, 'At most 128 bytes'),
	saveChanges: z.boolean().optional(),
});

/** The UUID of a job in a path, in lower case; throws the 400. */
export function jobUuid(text: string | undefined): string {
	if (isUuid(text)) return text.toLowerCase();
	throw new ApiError(400, { error: 'Invalid job ID format. Job ID must be a valid UUID.' });
}

/** Whether a path segment is a UUID. */
export function isUuid(text: string | undefined): text is string {
	return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text ?? '');
}

/** An address as its parts; undefined when it is none. (Node 20's `URL.canParse` wrongly refuses letters such as ü once it is compiled.) */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
