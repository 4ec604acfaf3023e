import { UserError } from 'n8n-workflow';
import { parseUrl } from '../values/parseUrl';
import { withoutSlashes } from '../values/text';

// The value is not quoted: users put keys and passwords into URLs.
const baseUrlError = (rule: string) => new UserError(`The credential's 'Base URL' ${rule}`);

/**
 * The API's base URL without trailing slash: that of the credential, with or without trailing slash
 * or `/v2`, plus `/v2` (https://docs.firecrawl.dev/api-reference/introduction).
 * @throws UserError with the reason if the credential's is invalid
 */
export function apiUrl(baseUrl: unknown): string {
	const given = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (!/^https?:\/\//i.test(given)) throw baseUrlError('must start with http:// or https://');
	const url = parseUrl(given);
	if (!url) throw baseUrlError('must be a URL such as https://api.example.com');
	if (url.username !== '' || url.password !== '') {
		throw baseUrlError('must not contain a user name or password');
	}
	if (url.search !== '' || url.hash !== '')
		throw baseUrlError('must not have a query or a fragment');
	const path = withoutSlashes(url.pathname);
	const root = /\/v2$/i.test(path) ? withoutSlashes(path.slice(0, -'/v2'.length)) : path;
	return `${url.origin}${root}/v2`;
}

/** URL of the hosted service. */
export const hostedService = 'https://api.firecrawl.dev';

/** Whether a base URL is that of the hosted service. */
export const isHosted = (baseUrl: unknown): boolean =>
	new URL(apiUrl(baseUrl)).origin === hostedService;

/**
 * Whether a request for `url` stays on the base URL's origin. Paths do; a scheme or host must
 * match.
 */
export function staysOnOrigin(url: string, baseUrl: unknown): boolean {
	if (!/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) return true;
	return parseUrl(url)?.origin === new URL(apiUrl(baseUrl)).origin;
}

/**
 * The authorization header; none without a key, as on a self-hosted server
 * (https://docs.firecrawl.dev/api-reference/introduction).
 */
export function authorization(apiKey: unknown): { Authorization?: string } {
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	return key === '' ? {} : { Authorization: `Bearer ${key}` };
}
