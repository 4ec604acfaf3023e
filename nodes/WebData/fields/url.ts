import { z } from 'zod/v3';
import { required, textField } from '../../runtime/form/field';
import {
	listSchema,
	preview,
	stringSchema,
	ValidationFailure,
	type ListLimits,
	type Schema,
} from '../../runtime/form/schema';
import { fitsGlob, isRoute, parseUrl, withoutSlashes } from '../../runtime/values/text';
import { isRecord } from '../../runtime/values/record';

/** A hostname with a top-level domain, in ASCII without empty or overlong labels. */
const domain =
	/^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Whether a URL has a scheme: example.com:8080 has a port, mailto:someone@example.com a scheme. */
const hasScheme = (text: string) => /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text);

/** Whether a host may have pages: a name with a top-level domain, a whole IP address, or localhost. */
const hasHost = (hostname: string, given: string) =>
	domain.test(hostname) ||
	hostname === 'localhost' ||
	hostname.startsWith('[') ||
	(/^\d+(\.\d+){3}$/.test(hostname) && given.includes(hostname));

/** Unwraps a URL in Markdown, as AI models write it: `<URL>` or `[text](URL)`. */
function unwrapUrl(text: string): string {
	const isLink = text.startsWith('[') && text.endsWith(')');
	const url = isLink ? text.slice(text.lastIndexOf('](') + 2, -1) : text;
	return url.startsWith('<') && url.endsWith('>') ? url.slice(1, -1) : url;
}

/** Splits text into URLs at white space, and at a comma, semicolon or bar that ends one: any other belongs to a URL. */
const separateUrls = (text: string): string[] =>
	text
		.split(/\s/)
		.flatMap((part) => part.split(/[,;|](?=https?:\/\/)/i))
		.map((part) => part.replace(/[,;|]$/, ''))
		.filter((part) => part !== '' && part !== ',' && part !== ';' && part !== '|');

/** Normalizes the URL of a page, with the scheme that the service would add. */
function normalizeUrl(value: string): string | ValidationFailure {
	const given = unwrapUrl(value.trim());
	const [path] = given.split(/[?#]/, 1);
	const rest = given.slice(path.length);
	// A query may contain other URLs.
	const starts = [path.match(/(?:^|[\s,;|])https?:\/\//gi), rest.match(/\shttps?:\/\//gi)];
	const count = starts.flatMap((found) => found ?? []).length;
	if (count > 1) return new ValidationFailure(`must be one URL, not ${count}: ${preview(given)}`);
	const parsed = parseUrl(hasScheme(given) ? given : `http://${given}`);
	if (!parsed) return new ValidationFailure(`must be a URL, not ${preview(given)}`);
	const { protocol, hostname } = parsed;
	if (protocol !== 'http:' && protocol !== 'https:') {
		return new ValidationFailure(`must start with http:// or https://, not ${protocol}`);
	}
	return hasHost(hostname, given)
		? given
		: new ValidationFailure(`must have a host such as example.com; ${preview(given)} has none`);
}

export const url = () => stringSchema({ normalize: normalizeUrl });

/** A `url` with its scheme, which the service adds elsewhere but some requests need. */
export const wholeUrl = () =>
	url().transform((given) => (hasScheme(given) ? given : `http://${given}`));

/** The page or website of an operation. */
export const urlField = (
	{ description, ...shown }: { placeholder: string; hint?: string; description: string },
	given: Schema<string> = url(),
) => required(textField('URL', description, given, shown));

/** URLs of pages, as a list or as text with commas or new lines between them. */
export const urls = (limits: ListLimits = {}) =>
	listSchema(url(), { ...limits, separate: separateUrls });

/** Several `urls`, each as text or, as in the API, in an object. */
export const pageUrls = (limits: ListLimits = {}) =>
	listSchema(
		z.preprocess((entry) => (isRecord(entry) ? entry.url : entry), url()),
		{ ...limits, separate: separateUrls },
	);

/** Unvalidated `urls`, for requests in which the service itself skips invalid ones. */
export const uncheckedUrls = (limits: ListLimits = {}) =>
	listSchema(stringSchema({ normalize: unwrapUrl }), { ...limits, separate: separateUrls });

/** The pages of an operation, validated by one of these schemas, with their price. */
export const urlsField = (description: string, given: Schema<string[]>, hint?: string) =>
	required(
		textField('URLs', description, given, {
			rows: 2,
			placeholder: 'e.g. https://example.com/a, https://example.com/b',
			...(hint !== undefined && { hint }),
		}),
	);

/** Query parameters that track a click and do not identify a page, besides `utm_*`. */
const tracking = new Set(
	'_ga _gl dclid fbclid gbraid gclid igshid mc_cid mc_eid msclkid srsltid ttclid twclid wbraid yclid'.split(
		' ',
	),
);

/** Whether a query parameter tracks a click, or fits the user's names and globs in lower case. */
function isIgnored(name: string, patterns: readonly string[]): boolean {
	const lower = name.toLowerCase();
	return (
		lower.startsWith('utm_') ||
		tracking.has(lower) ||
		patterns.some((pattern) => fitsGlob(lower, pattern))
	);
}

/**
 * Normalizes a URL for comparison: omits scheme, www, tracking parameters, those that fit
 * `ignored`, the trailing slash, and fragments that are no routes; sorts parameters by name.
 */
export function comparedUrl(url: string, ignored: readonly string[] = []): string {
	const parsed = parseUrl(url);
	if (!parsed) return url.trim();
	const { host, pathname, searchParams, hash } = parsed;
	const parameters = new URLSearchParams(
		[...searchParams].filter(([name]) => !isIgnored(name, ignored)),
	);
	parameters.sort();
	const query = parameters.size === 0 ? '' : `?${parameters.toString()}`;
	const page = host.replace(/^www\./, '') + withoutSlashes(pathname);
	const compared = page + query + (isRoute(hash) ? hash : '');
	return compared.replace(/%[\da-f]{2}/g, (code) => code.toUpperCase());
}
