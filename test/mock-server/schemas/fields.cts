import { isIP } from 'node:net';
import { z } from 'zod';

import { badRequest } from '../errors.cjs';
import { refuse, strict } from './body.cjs';

const hostname =
	/^(?=.{1,253}$)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** The address of a page, completed with `http://`; undefined unless its host is an IP address or a whole name. */
export function pageUrl(text: string): string | undefined {
	const trimmed = text.trim();
	const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
	if (!parseUrl(absolute)) return undefined;
	const { protocol, hostname: host, href } = new URL(absolute);
	if (protocol !== 'http:' && protocol !== 'https:') return undefined;
	const isAddress = isIP(host.replace(/^\[|\]$/g, '')) > 0;
	return isAddress || hostname.test(host) ? href : undefined;
}

/** A page's address with its scheme, which some requests complete for nobody. */
export const wholeUrl = z
	.string()
	.refine((text) => /^https?:\/\//i.test(text) && pageUrl(text) !== undefined, 'Invalid URL');

export const url = z.string().transform((text, check) => {
	const absolute = pageUrl(text);
	if (!absolute) refuse(check, 'Invalid URL');
	return absolute ?? z.NEVER;
});

/** Host names as search takes them: trimmed and lower-cased, then nothing but a name. */
export const domain = z
	.string()
	.transform((text) => text.trim().toLowerCase())
	.refine((text) => hostname.test(text), 'Invalid domain: a hostname without protocol or path');

/** Regions that the locale data knows and ISO 3166-1 does not assign; the server knows Kosovo's XK, too. */
const notIso = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));
const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Whether two capitals are an assigned ISO 3166-1 alpha-2 code; `UK` is an alias of `GB`, not a code. */
function isCountryCode(code: string): boolean {
	if (!/^[A-Z]{2}$/.test(code) || notIso.has(code)) return false;
	return regionNames.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code;
}

/** `location` of a scrape: a country in any case, or one of two generic places. */
export const location = strict({
	country: z
		.string()
		.refine(
			(code) =>
				/^us-(generic|whitelist)$/.test(code.toLowerCase()) || isCountryCode(code.toUpperCase()),
			'Invalid country code',
		)
		.optional(),
	languages: z.array(z.string().min(1)).optional(),
});

const threatHost =
	/^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

const threatDomain = z
	.string()
	.refine(
		(text) => threatHost.test(text.replace(/^\*\./, '')),
		'A plain domain or a wildcard such as *.example.com, without protocol, path or port',
	);

export const threatProtection = strict({
	mode: z.enum(['off', 'manual-only', 'normal', 'zscaler']).optional(),
	riskScoreThreshold: z.number().int().min(0).max(100).optional(),
	blacklist: z.array(threatDomain).max(1000).optional(),
	whitelist: z.array(threatDomain).max(1000).optional(),
	blockedTlds: z
		.array(z.string().regex(/^[a-z0-9]{1,63}$/, 'Lower case letters and digits, without dot'))
		.max(1000)
		.optional(),
	failurePolicy: z.enum(['open', 'closed']).optional(),
});
export type ThreatProtection = z.output<typeof threatProtection>;

export const auditMetadata = strict({ username: z.string().max(1024) });

export const profile = strict({
	name: z
		.string()
		.min(1)
		.refine((text) => Buffer.byteLength(text) <= 128, 'At most 128 bytes'),
	saveChanges: z.boolean().optional(),
});

/** The UUID in a path, in lower case; throws the 400 that names the parameter. */
export function pathUuid(
	text: string | undefined,
	name = 'jobId',
	error = 'Invalid job ID format. Job ID must be a valid UUID.',
): string {
	if (isUuid(text)) return text.toLowerCase();
	throw badRequest([{ code: 'invalid_string', path: [name], message: 'Invalid uuid' }], error);
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
