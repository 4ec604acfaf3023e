import { UserError } from 'n8n-workflow';
import { parseUrl } from '../values/parseUrl';
import { withoutSlashes } from '../values/trimEnd';

// What was entered is not quoted: people put keys and passwords into addresses.
const refuse = (rule: string) => new UserError(`The credential's 'Base URL' ${rule}`);

/**
 * The address under which every path of the API lies, without trailing slash: the credential's base
 * URL, given with or without trailing slash or `/v2`, plus `/v2` (https://docs.firecrawl.dev/api-reference/introduction).
 * @throws UserError that says what is wrong with the base URL
 */
export function apiUrl(baseUrl: unknown): string {
	const given = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (!/^https?:\/\//i.test(given)) throw refuse('must start with http:// or https://');
	const url = parseUrl(given);
	if (!url) throw refuse('must be a URL such as https://api.example.com');
	if (url.username !== '' || url.password !== '') {
		throw refuse('must not contain a user name or password');
	}
	if (url.search !== '' || url.hash !== '') throw refuse('must not have a query or a fragment');
	const path = withoutSlashes(url.pathname);
	const root = /\/v2$/i.test(path) ? withoutSlashes(path.slice(0, -'/v2'.length)) : path;
	return `${url.origin}${root}/v2`;
}

/** Address of the hosted service. */
export const hostedService = 'https://api.firecrawl.dev';

/** Whether a base URL leads to the hosted service. */
export const isHosted = (baseUrl: unknown): boolean =>
	new URL(apiUrl(baseUrl)).origin === hostedService;

/** Whether a request for `url` stays on the base URL's origin. Paths do; anything with a scheme or host of its own must match. */
export function staysOnOrigin(url: string, baseUrl: unknown): boolean {
	if (!/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) return true;
	return parseUrl(url)?.origin === new URL(apiUrl(baseUrl)).origin;
}
