import { z } from 'zod/v3';
import {
	objectSchema,
	forwardIssues,
	listSchema,
	ValidationFailure,
	preview,
	stringSchema,
	type ListLimits,
	type TextLimits,
} from '../../runtime/form/schema';
import type { Schema } from '../../runtime/form/effects';
import { field, required } from '../../runtime/form/field';
import { asciiHost } from './domains';
import { parseUrl } from '../../runtime/values/parseUrl';
import { isRecord } from '../../runtime/values/record';

/** A label of a hostname. */
const label = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/;
const topLevel = /^[a-z][a-z0-9-]*[a-z0-9]$/;

/** Whether a hostname has a top-level domain, in ASCII without empty or overlong labels. */
function isDomain(hostname: string): boolean {
	if (hostname.length > 253) return false;
	const labels = hostname.split('.');
	return (
		labels.length > 1 &&
		topLevel.test(labels[labels.length - 1]) &&
		labels.every((each) => each.length <= 63 && label.test(each))
	);
}

/**
 * Whether a host may have pages: an IP number or a name with a top-level domain; a local server
 * may scrape its own machine.
 */
const isHost = (hostname: string) =>
	isDomain(hostname) ||
	hostname === 'localhost' ||
	hostname.startsWith('[') ||
	/^\d+(\.\d+){3}$/.test(hostname);

/** Whether a URL has a scheme: example.com:8080 has a port, mailto:someone@example.com a scheme. */
const hasScheme = (text: string) => /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text);

/** Unwraps a URL in Markdown, as AI models write it: `<URL>` or `[text](URL)`. */
function unwrapped(text: string): string {
	const isLink = text.startsWith('[') && text.endsWith(')');
	const url = isLink ? text.slice(text.lastIndexOf('](') + 2, -1) : text;
	return url.startsWith('<') && url.endsWith('>') ? url.slice(1, -1) : url;
}

/** The number of URLs with a scheme in a text. A comma in a query belongs to it. */
function urlsIn(text: string): number {
	const [path] = text.split(/[?#]/, 1);
	const parts = [...separateUrls(path), ...text.slice(path.length).split(/\s+/).slice(1)];
	return parts.filter((part) => /^https?:\/\//i.test(part)).length;
}

/**
 * Normalizes the URL of a page. A missing scheme is added as by the service
 * (https://docs.firecrawl.dev/api-reference/introduction).
 */
function normalizeUrl(value: string): string | ValidationFailure {
	const given = unwrapped(value.trim());
	const count = urlsIn(given);
	if (count > 1) return new ValidationFailure(`must be one URL, not ${count}: ${preview(given)}`);
	const completed = hasScheme(given) ? given : `http://${given}`;
	const parsed = parseUrl(completed);
	if (!parsed) return new ValidationFailure(`must be a URL, not ${preview(given)}`);
	const { protocol, hostname } = parsed;
	if (protocol !== 'http:' && protocol !== 'https:') {
		return new ValidationFailure(`must start with http:// or https://, not ${protocol}`);
	}
	return isHost(hostname)
		? given
		: new ValidationFailure(`must have a host such as example.com, not ${preview(given)}`);
}

export const url = () => stringSchema({ normalize: normalizeUrl });

/** The page or website of an operation. */
export const urlField = (
	about: { placeholder: string; description: string },
	given: Schema<string> = url(),
) => required(field({ displayName: 'URL', type: 'string', default: '', ...about }, given));

/**
 * A `url` with its scheme, which the service adds elsewhere but some requests need
 * (docs/api-notes.md, Requests).
 */
export const wholeUrl = (limits: Pick<TextLimits, 'max'> = {}) =>
	stringSchema({
		...limits,
		normalize: (value) => {
			const normalized = normalizeUrl(value);
			return normalized instanceof ValidationFailure || hasScheme(normalized)
				? normalized
				: `http://${normalized}`;
		},
	});

/** The end of a URL's host, if more follows. */
const behindHost = /^(?:https?:\/\/|(?!https?:\/\/))[^/?#]*[/?#]/i;

/** File extensions, which resemble top-level domains. */
const fileEnding =
	/\.(?:[a-z]?html?|aspx?|cgi|css|csv|docx?|gif|ico|jpe?g|js|json|jsp|mjs|mp[34]|pdf|php|png|pptx?|rss|svg|txt|webm|webp|xlsx?|xml)$/i;

/**
 * Whether a URL begins after a comma in another one's path. A host without a scheme may belong to
 * that path: it counts if the URL before has no scheme either.
 */
function beginsUrl(part: string, isBare: boolean): boolean {
	const [host] = part.split(/[/:?#]/, 1);
	if (fileEnding.test(host)) return false;
	const hostname = asciiHost(host.toLowerCase());
	const isNamed = hostname === 'localhost' || (/[a-z]$/.test(hostname) && isDomain(hostname));
	return isNamed && (isBare || part.charAt(host.length) === '/');
}

/**
 * Splits text into URLs at white space and commas. A comma separates in a host, which has none, and
 * before white space or the start of a URL; any other belongs to a path, query or fragment.
 */
function separateUrls(text: string): string[] {
	return text.split(/\s+/).flatMap((word) => {
		const groups: string[][] = [];
		let isOpen = false;
		let isBare = false;
		let isInPath = false;
		const parts = word.split(',');
		parts.forEach((part, index) => {
			const isEnd = part === '' && index === parts.length - 1;
			const begins = /^(?:https?:\/\/|www\.)/i.test(part) || (isInPath && beginsUrl(part, isBare));
			if (!isOpen || isEnd || begins) {
				groups.push([part]);
				isOpen = behindHost.test(part);
				isBare = !hasScheme(part);
				isInPath = isOpen;
			} else {
				groups.at(-1)?.push(part);
			}
			isInPath &&= !/[?#]/.test(part);
		});
		return groups.map((group) => group.join(','));
	});
}

/** URLs of pages, as a list or as text with commas or new lines between them. */
export const urls = (limits: ListLimits = {}) =>
	listSchema(url(), { ...limits, separate: separateUrls });

const withUrl = objectSchema({ url: stringSchema() });

/** The URL of a page, as text or, as in the API, in an object. */
const pageUrl = z
	.unknown()
	.transform((entry, context) => {
		if (!isRecord(entry)) return entry;
		const page = withUrl.safeParse(entry);
		return page.success ? page.data.url : forwardIssues(page.error, context);
	})
	.pipe(url());

/** The pages of an operation, validated by one of these schemas. */
export const urlsField = (description: string, given: Schema<string[]>) =>
	required(
		field(
			{
				displayName: 'URLs',
				type: 'string',
				typeOptions: { rows: 4 },
				default: '',
				placeholder: 'e.g. https://example.com/a, https://example.com/b',
				description,
			},
			given,
		),
	);

/** Several `urls`, each as text or in an object. */
export const pageUrls = (limits: ListLimits = {}) =>
	listSchema(pageUrl, { ...limits, separate: separateUrls });

/** Unvalidated `urls`, for requests in which the service itself skips invalid ones. */
export const uncheckedUrls = (limits: ListLimits = {}) =>
	listSchema(stringSchema({ normalize: unwrapped }), { ...limits, separate: separateUrls });
