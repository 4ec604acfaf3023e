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
import { asciiHost } from './hostName';
import { parseUrl } from '../../runtime/values/parseUrl';
import { isRecord } from '../../runtime/values/record';

/** A part of a host's name. */
const label = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/;
const topLevel = /^[a-z][a-z0-9-]*[a-z0-9]$/;

/** Whether it is a host's name with a top-level domain, as it goes over the wire: in ASCII, with no empty or overlong part. */
function isDomain(hostname: string): boolean {
	if (hostname.length > 253) return false;
	const labels = hostname.split('.');
	return (
		labels.length > 1 &&
		topLevel.test(labels[labels.length - 1]) &&
		labels.every((each) => each.length <= 63 && label.test(each))
	);
}

/** Whether a page can be there: an IP address or a name with a top-level domain; a server on this machine may read its own. */
const isHost = (hostname: string) =>
	isDomain(hostname) ||
	hostname === 'localhost' ||
	hostname.startsWith('[') ||
	/^\d+(\.\d+){3}$/.test(hostname);

/** Whether an address has a scheme: example.com:8080 has a port, mailto:someone@example.com a scheme. */
const hasScheme = (address: string) => /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(address);

/** A page's address. A missing scheme is completed as the service does (https://docs.firecrawl.dev/api-reference/introduction). */
function normalizeUrl(value: string): string | ValidationFailure {
	const given = value.trim();
	const address = hasScheme(given) ? given : `http://${given}`;
	const parsed = parseUrl(address);
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

/** The page or the website that an operation is about. */
export const address = (
	about: { placeholder: string; description: string },
	given: Schema<string> = url(),
) => required(field({ displayName: 'URL', type: 'string', default: '', ...about }, given));

/** As `url`, with the scheme that the service completes elsewhere: some requests need it (docs/api-notes.md, Requests). */
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

/** Where an address goes on behind its host. */
const behindHost = /^(?:https?:\/\/|(?!https?:\/\/))[^/?#]*[/?#]/i;

/** Endings of files, which look like top-level domains. */
const fileEnding =
	/\.(?:[a-z]?html?|aspx?|cgi|css|csv|docx?|gif|ico|jpe?g|js|json|jsp|mjs|mp[34]|pdf|php|png|pptx?|rss|svg|txt|webm|webp|xlsx?|xml)$/i;

/**
 * Whether a URL begins behind a comma in the path of another one. A host alone may be the rest of that path:
 * it counts where the URL before has no scheme either.
 */
function beginsUrl(part: string, isBare: boolean): boolean {
	const [host] = part.split(/[/:?#]/, 1);
	if (fileEnding.test(host)) return false;
	const hostname = asciiHost(host.toLowerCase());
	const isNamed = hostname === 'localhost' || (/[a-z]$/.test(hostname) && isDomain(hostname));
	return isNamed && (isBare || part.charAt(host.length) === '/');
}

/**
 * The URLs in a text, with white space or commas between them. A comma separates in a host, which has none,
 * and before white space or what begins a URL; any other belongs to a path, query or fragment.
 */
function separateUrls(text: string): string[] {
	return text.split(/\s+/).flatMap((word) => {
		const addresses: string[][] = [];
		let isOpen = false;
		let isBare = false;
		let isInPath = false;
		const parts = word.split(',');
		parts.forEach((part, index) => {
			const isEnd = part === '' && index === parts.length - 1;
			const begins = /^(?:https?:\/\/|www\.)/i.test(part) || (isInPath && beginsUrl(part, isBare));
			if (!isOpen || isEnd || begins) {
				addresses.push([part]);
				isOpen = behindHost.test(part);
				isBare = !hasScheme(part);
				isInPath = isOpen;
			} else {
				addresses.at(-1)?.push(part);
			}
			isInPath &&= !/[?#]/.test(part);
		});
		return addresses.map((address) => address.join(','));
	});
}

/** Pages' addresses, as a list or as text with commas or new lines between them. */
export const urls = (limits: ListLimits = {}) =>
	listSchema(url(), { ...limits, separate: separateUrls });

const withUrl = objectSchema({ url: stringSchema() });

/** A page's address, alone or as the API has it, too: in an object. */
const pageUrl = z
	.unknown()
	.transform((entry, context) => {
		if (!isRecord(entry)) return entry;
		const page = withUrl.safeParse(entry);
		return page.success ? page.data.url : forwardIssues(page.error, context);
	})
	.pipe(url());

/** As `urls`, each also as an object with the address. */
export const pageUrls = (limits: ListLimits = {}) =>
	listSchema(pageUrl, { ...limits, separate: separateUrls });

/** As `urls`, each as it is given: for requests in which the service itself leaves out the invalid ones. */
export const uncheckedUrls = (limits: ListLimits = {}) =>
	listSchema(stringSchema(), { ...limits, separate: separateUrls });
