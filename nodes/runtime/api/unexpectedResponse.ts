import { missingAdvice, type Endpoint } from './endpoint';
import { isNotFromApi, type ApiResponse } from './retry';
import { fact, forUser, type Advice } from './sentence';

/** Most characters of a page to scan. */
const maxScanned = 10_000;

const blank = /^\s*$/;

/** The text of an HTML or plain page instead of JSON: its title, or its beginning. */
export function pageText(body: unknown): string | undefined {
	if (typeof body !== 'string') return undefined;
	const page = body.slice(0, maxScanned);
	const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(page)?.[1].trim() ?? '';
	// The API's own pages all have this title; the error is in their body.
	if (title !== '' && title !== 'Error') return title;
	const visible = page.replace(/<title[^<>]*>[^<]*<\/title>/i, ' ').replace(/<[^<>]*>/g, ' ');
	const text = visible.replace(/\s+/g, ' ').trim();
	return text === '' ? undefined : text;
}

/** Whether a server of the API lacks the path, by its error page. */
const isMissingRoute = ({ status, body }: ApiResponse) =>
	status === 404 &&
	typeof body === 'string' &&
	/Cannot (GET|POST|PUT|PATCH|DELETE) \//.test(body.slice(0, maxScanned));

/**
 * Whether a web server or proxy rejected the request with a page. Its limits of size, time and rate
 * hold for the API as well.
 */
const isRejectedByPage = ({ status, body }: ApiResponse) =>
	status >= 400 &&
	status < 500 &&
	![408, 413, 429].includes(status) &&
	typeof body === 'string' &&
	!blank.test(body.slice(0, maxScanned));

/** The message of an unexpected response, without its own text for models, and advice. */
interface UnexpectedResponse {
	message: string;
	/** The node's own part of a message that quotes the response. */
	own?: string;
	advice: Advice;
}

/**
 * Describes a response that is not from the API, or from a server of the API without the endpoint.
 */
export function unexpectedResponse(
	response: ApiResponse,
	endpoint?: Endpoint,
): UnexpectedResponse | undefined {
	const { status, headers, body } = response;
	if (status === 407) {
		return {
			message: `The proxy requires authentication (HTTP 407)`,
			advice: [
				fact('The server was not reached.'),
				forUser(
					`Set user name and password in the proxy's URL in n8n's environment (HTTPS_PROXY or HTTP_PROXY: http://user:password@host:port).`,
				),
			],
		};
	}
	if (status >= 300 && status < 400) {
		const { location } = headers;
		const target = typeof location === 'string' && location !== '' ? ` to ${location}` : '';
		return {
			message: `The server redirects${target} (HTTP ${status})`,
			own: `The server redirects (HTTP ${status})`,
			advice: [
				fact('Redirects are not followed, to protect the key.'),
				forUser(`Enter the correct URL as 'Base URL' in the credential.`),
			],
		};
	}
	if (isMissingRoute(response)) {
		return {
			message: `This server does not have this feature (HTTP ${status})`,
			advice: [
				...(missingAdvice(endpoint) ?? [
					forUser('The hosted service supports it, and a newer version of the server may, too.'),
				]),
				forUser(`If every operation fails like this, check 'Base URL' in the credential.`),
			],
		};
	}
	if (isNotFromApi(response)) {
		return {
			message: `The response is not JSON${status < 300 ? '' : ` (HTTP ${status})`}`,
			advice: [
				forUser(`Check 'Base URL' in the credential: it may point to a web page or a proxy.`),
			],
		};
	}
	if (isRejectedByPage(response)) {
		return {
			message: `HTML error page instead of JSON: ${pageText(body)} (HTTP ${status})`,
			own: `The response is an HTML error page instead of JSON (HTTP ${status})`,
			advice: [
				fact('This is not an API response.'),
				forUser(
					`Check 'Base URL' in the credential: it may point to another server, or to a proxy that rejects the request.`,
				),
			],
		};
	}
	return undefined;
}
