import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';
import type { StartWatch, JobLookup } from './jobLookup';
import { parseBody } from '../values/json';
import { parseUrl } from '../values/parseUrl';
import type { Endpoint } from '../api/endpoint';
import type { Price } from '../limits/price';
import { isAllowedFileUrl, privateAddressCode } from '../api/privateAddress';
import { largestResponse, readBody } from './readBody';
import { monotonicNow } from '../values/clock';
import { propertyOf } from '../values/record';
import {
	blockedByN8n,
	invalidPath,
	type ApiResponse,
	type Failure,
	type RetrySafety,
} from '../api/retry';
import { markUnknownCredits } from './unknownCredits';

/** A request to the API. */
export interface Request {
	endpoint: Endpoint;
	/** The values of the path's parameters. */
	ids?: Record<string, string>;
	/** Path and query of a list's next page, as the service names it, in the place of the endpoint's path. */
	nextPage?: string;
	query?: IDataObject;
	body?: object;
	headers?: Record<string, string>;
	/** The service's own time for the answer in milliseconds, when the request or the spec names one. */
	serviceTimeout?: number;
	/** Longest wait for the whole answer in milliseconds, where it can be asked for again. */
	longestWait?: number;
	/** Whether it is not sent again after a failure: nothing depends on its response. */
	sentOnce?: boolean;
	/** Answers that are good though the service marks them as failed: what was asked for, with a failure in it. */
	accepts?(response: ApiResponse): boolean;
	/** What a repeat can cost, where that is not as the endpoint says. */
	retrySafety?: RetrySafety;
	/** What the service returns of the job that it starts, so that it is found when the response is lost. */
	jobLookup?: JobLookup;
	/** Called when it is about to be sent, where it starts a job. */
	watchStart?(): StartWatch;
	/** Headers for a repeat, with a new key in the place of one that may be, or is, used up; the same ones if left out. */
	freshHeaders?(isUsedUp?: boolean): Record<string, string>;
	/** What it can cost, as far as the request tells (the spec's price list); nothing when left out. The answer says what it did. */
	price?: Price;
	/** Whether it only asks for prices, which is free: it is sent for an estimate, too. */
	asksPrice?: boolean;
}

/** The path of a request, with its IDs encoded. */
export const pathOf = ({ endpoint, ids = {}, nextPage }: Request): string =>
	nextPage ??
	endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name]));

/** What a repeat of a request can cost: nothing, unless it or its endpoint says otherwise. */
export const retrySafetyOf = ({ endpoint, retrySafety }: Request): RetrySafety =>
	retrySafety ?? endpoint.retrySafety ?? 'free';

/** A file on its way to an address that the service named. */
export interface Upload {
	url: string;
	method: IHttpRequestMethods;
	headers: Record<string, string>;
	body: File | FormData;
}

/** Where n8n lets a request be sent from: an action node, a trigger, a webhook or a list. */
export type HttpFunctions = ThisParameterType<
	IExecuteFunctions['helpers']['httpRequestWithAuthentication']
>;

const stopSignalName = 'getExecutionCancelSignal';

/** A view of n8n's context through which a request of a stopped execution still goes out and comes back. */
export const unstoppable = (context: HttpFunctions): HttpFunctions =>
	new Proxy(context, { has: (target, key) => key !== stopSignalName && key in target });

/** What tells that the execution is stopped, if the context is of one. */
const stopSignalOf = (context: HttpFunctions): AbortSignal | undefined =>
	stopSignalName in context ? context[stopSignalName]() : undefined;

export const credentialType = 'webDataApi';

/** Whether the user has the certificates of all servers taken as they are: the API's, and those of its files. */
async function skipsSslChecks(context: HttpFunctions): Promise<boolean> {
	const { ignoreSSLIssues } = await context.getCredentials(credentialType);
	return ignoreSSLIssues === true;
}

const defaultTimeout = 300_000;
const margin = 30_000;

/** Longer than the service's own time, so that no answer that is paid for is dropped. Milliseconds. */
const timeoutFor = (serviceTimeout = 0) => Math.max(defaultTimeout, serviceTimeout + margin);

const textOf = (value: unknown, name: string): string | undefined => {
	const found = propertyOf(value, name);
	return typeof found === 'string' ? found : undefined;
};

/** What came of sending a request once; `size` is that of the answer, in bytes. */
export type Exchange = { success: ApiResponse; size?: number } | { failure: Failure };

/** How n8n words that its SSRF protection blocks a host name, or an IP address that it resolves to. */
const ssrfBlock = /^The request was blocked because /;

/** Reads n8n's error for a request without answer; axios keeps the network's code in the cause, which n8n before 2.0 drops. */
function networkFailure(error: unknown): Exchange {
	const cause: unknown = error instanceof Error ? error.cause : undefined;
	const message = textOf(cause, 'message') ?? textOf(error, 'message') ?? 'no response';
	const code = ssrfBlock.test(message)
		? blockedByN8n
		: (textOf(cause, 'code') ?? textOf(error, 'code') ?? textOf(error, 'httpCode') ?? 'UNKNOWN');
	return { failure: { networkError: { code, message } } };
}

/** What n8n's client answers when it is asked for everything. */
interface Response {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** What a request and its answer may take. Times in milliseconds. */
interface Bounds {
	/** Most megabytes that are read. */
	most: number;
	/** Longest time that the reading of the answer takes, once it has begun. */
	timeout: number;
	/** Longest time from the request to the end of its answer; none when left out. */
	longestWait?: number;
	/** Ends both early. */
	stop?: AbortSignal;
}

/** The reason of aborted requests. One for all: an error for each would cost the capture of its stack. */
const ended = new Error('The request has ended');

/** Sends a request, which ends with its signal. */
type Send = (abortSignal: AbortSignal) => Promise<Response>;

/**
 * The whole answer, its body as bytes where it was read here. n8n hands it over as soon as it begins, and
 * its client keeps the connection of one that stalls until the request's signal ends it.
 */
async function read(
	send: Send,
	{ most, timeout, longestWait = Infinity, stop }: Bounds,
): Promise<ApiResponse> {
	const request = new AbortController();
	const end = () => request.abort(ended);
	if (stop?.aborted) end();
	stop?.addEventListener('abort', end, { once: true });
	const sentAt = monotonicNow();
	try {
		const { statusCode: status, headers, body } = await send(request.signal);
		const left = Math.max(0, longestWait - (monotonicNow() - sentAt));
		const whole = await readBody(body, most, Math.min(timeout, left), request.signal);
		return { status, headers, body: whole };
	} finally {
		stop?.removeEventListener('abort', end);
		end();
	}
}

/** The same answer with its text or JSON in the place of bytes. */
function decodeBody({ body: bytes, ...response }: ApiResponse): ApiResponse {
	const body = Buffer.isBuffer(bytes) ? new TextDecoder().decode(bytes) : bytes;
	return { ...response, ...(typeof body === 'string' ? parseBody(body) : { body }) };
}

const isBlank = (body: unknown) => body === undefined || body === null || body === '';

/** Whether an answer is what was asked for: 2xx, JSON, and not marked as failed. */
function succeeded({ status, body }: ApiResponse): boolean {
	if (status < 200 || status > 299 || isBlank(body) || typeof body !== 'object') return false;
	return !('success' in body && body.success === false);
}

/** Bytes of an answer's body; 0 where n8n has turned them into data. */
const sizeOf = ({ body }: ApiResponse) =>
	Buffer.isBuffer(body) || typeof body === 'string' ? body.length : 0;

/** What came of a request to the API, its answer read to the end. Never throws. */
export const exchangeOf = async (
	send: Send,
	bounds: Omit<Bounds, 'most'>,
	accepts?: Request['accepts'],
): Promise<Exchange> =>
	await read(send, { most: largestResponse, ...bounds }).then((bytes): Exchange => {
		const response = decodeBody(bytes);
		markUnknownCredits(response.body);
		const good = succeeded(response) || accepts?.(response) === true;
		return good ? { success: response, size: sizeOf(bytes) } : { failure: { response } };
	}, networkFailure);

/** Whether a path has steps that mean "here" or "above", which an ID of dots alone makes and no encoding prevents. */
const hasDotSegments = (path: string) =>
	path
		.split(/[?#]/, 1)[0]
		.split('/')
		.some((step) => /^(\.|%2e){1,2}$/i.test(step));

/**
 * What n8n's client is given of a body: JSON text, for it copies objects without their members called
 * `__proto__`, `constructor` or `prototype`, such as fields of a schema or headers. Forms stay.
 */
const encodeBody = (
	body: object | undefined,
	headers: Request['headers'],
): Pick<IHttpRequestOptions, 'body' | 'headers'> =>
	body === undefined || body instanceof FormData
		? { body, headers }
		: { body: JSON.stringify(body), headers: { ...headers, 'Content-Type': 'application/json' } };

const notSent: Exchange = {
	failure: { networkError: { code: invalidPath, message: 'not sent: the ID is not valid' } },
};

/**
 * Sends one request once, to the path that it names and no other. Redirects are not followed: a POST
 * would turn into a GET, and the key would leave its origin. Never throws; a failed request is a value.
 */
export async function exchange(context: HttpFunctions, request: Request): Promise<Exchange> {
	const { endpoint, query, body, headers, serviceTimeout, longestWait, accepts } = request;
	const path = pathOf(request);
	if (hasDotSegments(path)) return notSent;
	const timeout = Math.min(timeoutFor(serviceTimeout), longestWait ?? Infinity);
	const bounds = { timeout, longestWait, stop: stopSignalOf(context) };
	// n8n would put the execution's signal in the place of the request's.
	const sender = unstoppable(context);
	const send: Send = async (abortSignal) =>
		await context.helpers.httpRequestWithAuthentication.call(sender, credentialType, {
			method: endpoint.method,
			url: path,
			qs: query,
			...encodeBody(body, headers),
			json: true,
			encoding: 'stream',
			timeout,
			abortSignal,
			arrayFormat: 'repeat',
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
	return await exchangeOf(send, bounds, accepts);
}

const isGood = ({ status }: ApiResponse) => status >= 200 && status < 300;

/** What a host that is not the API's answered, without its words: they would show what stands on any host that the service names. */
const fileHostError = ({ status, headers }: ApiResponse): Exchange => ({
	failure: {
		response: {
			status,
			headers: { 'retry-after': headers['retry-after'] },
			body: { error: 'The host returned an error' },
		},
	},
});

const privateAddress: Exchange = {
	failure: {
		networkError: {
			code: privateAddressCode,
			message: 'the address is private',
		},
	},
};

/** The headers that a signed upload can name: those of the file, and those of object stores. */
const uploadHeader =
	/^(cache-control|content-(disposition|encoding|language|md5|type)|x-(amz|goog|ms|oss|cos)-[a-z0-9-]{1,100})$/i;

/** Whether a header that the service names goes along with a file: no name and no value that a header cannot have. */
const isUploadHeader = ([name, value]: [string, string]) =>
	uploadHeader.test(name) && /^[\t\x20-\x7e]*$/.test(value);

/** Asks a host that is not the API's, once and without the key; its answer, of `most` megabytes at the most, is judged. */
async function fetchFromFileHost(
	context: HttpFunctions,
	request: Pick<IHttpRequestOptions, 'url' | 'method' | 'headers' | 'body'>,
	most: number,
	judge: (response: ApiResponse) => Exchange | Promise<Exchange>,
): Promise<Exchange> {
	const skipSslCertificateValidation = await skipsSslChecks(context);
	const send: Send = async (abortSignal) =>
		await context.helpers.httpRequest({
			...request,
			skipSslCertificateValidation,
			encoding: 'stream',
			timeout: defaultTimeout,
			abortSignal,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
	const bounds = { most, timeout: defaultTimeout, stop: stopSignalOf(context) };
	return await read(send, bounds).then(judge, networkFailure);
}

/**
 * Sends a file to an address that the service named, once. It lies on any host, so no key goes along, no
 * redirect is followed, and of the headers only those of stores are sent. A private address is refused
 * unless the service itself lies on one.
 */
export async function upload(
	context: HttpFunctions,
	{ url, method, headers, body }: Upload,
	serviceIsPrivate = false,
): Promise<Exchange> {
	if (!isAllowedFileUrl(url, serviceIsPrivate)) return privateAddress;
	const given = Object.fromEntries(Object.entries(headers).filter(isUploadHeader));
	return await fetchFromFileHost(
		context,
		{ url, method, headers: given, body },
		largestResponse,
		(response) => (isGood(response) ? { success: response } : fileHostError(response)),
	);
}

/** Most redirects of a download that are followed. */
const mostRedirects = 5;

const redirects = new Set([301, 302, 303, 307, 308]);

/** Where an answer redirects to, if it does. */
function redirectOf({ status, headers }: ApiResponse, from: string): string | undefined {
	const { location } = headers;
	if (!redirects.has(status) || typeof location !== 'string' || location === '') return undefined;
	return parseUrl(location, from)?.href;
}

/**
 * Fetches a file that the service links to, once, of `most` megabytes at the most. It lies on any host,
 * so no key goes along. Redirects are followed here, one by one: neither they nor the link lead to a
 * private address, unless the service itself lies on one. The body of a success is a Buffer.
 */
export async function download(
	context: HttpFunctions,
	url: string,
	most: number,
	serviceIsPrivate = false,
	redirectsLeft = mostRedirects,
): Promise<Exchange> {
	if (!isAllowedFileUrl(url, serviceIsPrivate)) return privateAddress;
	return await fetchFromFileHost(context, { url }, most, async (response) => {
		if (isGood(response) && Buffer.isBuffer(response.body)) return { success: response };
		const next = redirectOf(response, url);
		return next === undefined || redirectsLeft === 0
			? fileHostError(response)
			: await download(context, next, most, serviceIsPrivate, redirectsLeft - 1);
	});
}
