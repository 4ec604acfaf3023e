import { UserError } from 'n8n-workflow';
import { fieldOf } from '../values/record';
import { firstText, parseUrl, withoutSlashes } from '../values/text';
import { hostedService } from './endpoint';

// The value is not quoted: users put keys and passwords into URLs.
const baseUrlError = (rule: string) => new UserError(`The credential's 'Base URL' ${rule}`);

/**
 * The API's base URL without trailing slash: that of the credential, with or without trailing slash
 * or `/v2`, plus `/v2` (https://docs.firecrawl.dev/api-reference/introduction).
 * @throws UserError with the reason if the credential's is invalid
 */
export function apiUrl(baseUrl: unknown): string {
	const given = firstText(baseUrl).trim();
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

/** Whether a base URL is that of the hosted service. */
export const isHosted = (baseUrl: unknown) => new URL(apiUrl(baseUrl)).origin === hostedService;

/** Whether a request for `url` stays on the base URL's origin, as paths do. */
export function staysOnOrigin(url: string, baseUrl: unknown): boolean {
	if (!/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) return true;
	return parseUrl(url)?.origin === new URL(apiUrl(baseUrl)).origin;
}

/** What the credential holds. */
export interface Credential {
	baseUrl?: unknown;
	apiKey?: unknown;
	webhookSecret?: unknown;
	headers?: unknown;
}

/** Headers that the key, the base URL and the body set. */
const reservedHeaders = new Set(['authorization', 'host', 'content-length']);

const headersError = (rule: string) => new UserError(`The credential's 'Headers' ${rule}`);

/** The further headers of a credential. An error names no value, and no name that may be one. */
function furtherHeaders({ headers }: Credential): Array<[name: string, value: string]> {
	const entries = fieldOf(headers, 'values');
	return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown, index) => {
		const name = firstText(fieldOf(entry, 'name')).trim();
		const value = firstText(fieldOf(entry, 'value')).trim();
		if (name === '' && value === '') return [];
		const position = `entry ${index + 1}`;
		if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name))
			throw headersError(`have no valid name in ${position}, such as CF-Access-Client-Id`);
		if (reservedHeaders.has(name.toLowerCase()))
			throw headersError(`must not replace ${name}: the node sets it itself`);
		if (!/^[\t\x20-\x7e\x80-\xff]+$/.test(value))
			throw headersError(`have no valid value in ${position}`);
		return [[name, value]];
	});
}

/**
 * The headers for requests to the base URL's origin: the credential's further headers, and the key,
 * which a self-hosted server may lack (https://docs.firecrawl.dev/api-reference/introduction).
 * @throws UserError with the reason if a further header is invalid
 */
export function credentialHeaders(credential: Credential): Record<string, string> {
	const key = firstText(credential.apiKey).trim();
	return {
		...Object.fromEntries(furtherHeaders(credential)),
		...(key !== '' && { Authorization: `Bearer ${key}` }),
	};
}

/** Shorter forms of a secret occur in other texts by chance. */
const shortestForm = 4;

/** Base64 of a secret after 0, 1 or 2 other bytes, without the characters that it shares with others. */
const base64Forms = (secret: string): string[] =>
	[0, 1, 2].flatMap((shift) => {
		const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
		const own = [Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6)] as const;
		return [bytes.toString('base64').slice(...own), bytes.toString('base64url').slice(...own)];
	});

/** A secret as it stands, in URLs, in JSON, and in base64. */
const formsOf = (secret: string): string[] => [
	secret,
	encodeURIComponent(Buffer.from(secret).toString()),
	JSON.stringify(secret).slice(1, -1),
	...base64Forms(secret),
];

/** Redacts secrets in a text. */
export function redactor(secrets: unknown[]): (text: string) => string {
	const forms = secrets
		.map((secret) => firstText(secret).trim())
		.filter(({ length }) => length >= shortestForm)
		.flatMap(formsOf)
		.filter(({ length }) => length >= shortestForm)
		.sort((one, other) => other.length - one.length);
	const unique = [...new Set(forms)];
	return (text) => unique.reduce((clean, form) => clean.replaceAll(form, () => '***'), text);
}

/** Redacts the secrets of a credential in the node's texts. @throws UserError as `credentialHeaders` */
export const redactorOf = (credential: Credential): ((text: string) => string) =>
	redactor([
		credential.apiKey,
		credential.webhookSecret,
		...furtherHeaders(credential).map(([, value]) => value),
	]);
