import type { IDataObject } from 'n8n-workflow';
import { parseUrl } from '../runtime/values/parseUrl';
import { without } from '../runtime/output/results';
import { fitsGlob, withoutSlashes } from '../runtime/values/text';

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

/** Fragments that are routes of single-page applications. */
const route = /^#!?\//;

/**
 * Normalizes a URL for comparison: omits scheme, www, tracking parameters, those that match
 * `ignored`, the trailing slash, and fragments that are no routes; sorts parameters by name.
 */
export function canonicalUrl(url: string, ignored: readonly string[] = []): string {
	const parsed = parseUrl(url);
	if (!parsed) return url.trim();
	const { host, pathname, searchParams, hash } = parsed;
	const parameters = new URLSearchParams(
		[...searchParams].filter(([name]) => !isIgnored(name, ignored)),
	);
	parameters.sort();
	const query = parameters.size === 0 ? '' : `?${parameters.toString()}`;
	const page = host.replace(/^www\./, '') + withoutSlashes(pathname);
	return page + query + (route.test(hash) ? hash : '');
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * Identifies a result: a paper by its ID, a tool by its name, an image by its file, others by URL,
 * and without these by all fields.
 */
export function resultKey(result: IDataObject, ignored: readonly string[] = []): string {
	const paper = text(result.paperId);
	if (paper !== undefined) return `paper ${paper}`;
	const image = result.source === 'images' ? text(result.imageUrl) : undefined;
	const url = image ?? text(result.url);
	if (url !== undefined) return canonicalUrl(url, ignored);
	const [provider, capability] = [text(result.provider), text(result.capability)];
	if (provider !== undefined && capability !== undefined) return `tool ${provider}/${capability}`;
	return JSON.stringify(without(result, 'position', 'request', 'score'));
}
