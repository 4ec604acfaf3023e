import { isIP } from 'node:net';
import { z } from 'zod/v4';

import { ApiError } from '../errors.cjs';
import { parseBody, strict } from './body.cjs';

const hostname =
	/^(?=.{1,253}$)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

const withScheme = (text: string): string =>
	/^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text.trim() : `http://${text.trim()}`;

/** The address of a page, completed with `http://`; undefined unless its host is an IP address or a whole name. */
export function pageUrl(text: string): string | undefined {
	const absolute = withScheme(text);
	// What looks like a second scheme or a port comes before the first dot: `http://http://example.com`.
	const [start] = absolute.split('.');
	return start.replace(/\[.*/, '').split(':').length > 2 ? undefined : wholeHref(absolute);
}

/** A URL of the web, normalized; undefined unless its host is an IP address or a whole name. */
function wholeHref(absolute: string): string | undefined {
	if (!parseUrl(absolute)) return undefined;
	const { protocol, hostname: host, href } = new URL(absolute);
	if (protocol !== 'http:' && protocol !== 'https:') return undefined;
	const isAddress = isIP(host.replace(/^\[|\]$/g, '')) > 0;
	return isAddress || hostname.test(host) ? href : undefined;
}

/** Whether a text's host ends with a top-level domain, or is an IP address. */
const hasTopLevel = (text: string): boolean =>
	/\.[\p{L}\p{N}-]{2,}(:\d+)?([/?#]|$)/u.test(text) ||
	isIP(parseUrl(text)?.hostname.replace(/^\[|\]$/g, '') ?? '') > 0;

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

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Whether two capitals name a country. */
const isCountryCode = (code: string): boolean =>
	/^[A-Z]{2}$/.test(code) && code !== 'ZZ' && regions.of(code) !== undefined;

/** `location` of a scrape: a country in any case, or one of two generic places. */
export const location = strict({
	country: z
		.string()
		.refine(
			(code) =>
				/^us-(generic|whitelist)$/.test(code.toLowerCase()) || isCountryCode(code.toUpperCase()),
			'Invalid country code. Use a valid ISO 3166-1 alpha-2 country code.',
		)
		.optional(),
	languages: z.array(z.string().min(1)).optional(),
});

const threatHost =
	/^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

const threatDomain = z.string().refine((text) => threatHost.test(text.replace(/^\*\./, '')), {
	error: ({ input }) =>
		`Invalid domain entry "${String(input)}": must be a plain domain like "example.com" or a wildcard glob like "*.example.com" (no protocol, path, or port)`,
});

export const threatProtection = strict({
	mode: z.enum(['off', 'manual-only', 'normal', 'zscaler']).optional(),
	riskScoreThreshold: z.number().int().min(0).max(100).optional(),
	blacklist: z.array(threatDomain).max(1000).optional(),
	whitelist: z.array(threatDomain).max(1000).optional(),
	blockedTlds: z.array(z.string()).max(1000).optional(),
	failurePolicy: z.enum(['open', 'closed']).optional(),
});

export const auditMetadata = strict({ username: z.string().max(1024) });

export const profile = strict({
	name: z
		.string()
		.min(1)
		.refine((text) => Buffer.byteLength(text) <= 128, 'At most 128 bytes'),
	saveChanges: z.boolean().optional(),
});

/** The UUID in a path, in lower case; throws the 400 that names the parameter. */
export function pathUuid(text: string | undefined, name: string): string {
	return parseBody(strict({ [name]: z.uuid() }), { [name]: text })[name].toLowerCase();
}

/** The UUID of a job in a path, in lower case; throws the 400 that names none. */
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
