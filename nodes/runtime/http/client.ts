import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { beginningOf, parseJson } from '../values/json';
import type { Endpoint } from './endpoint';
import { settle } from '../values/outcome';
import { delay, monotonicNow } from '../values/time';
import { propertyOf } from '../values/record';
import { firstText } from '../values/text';
import { blockedByN8n, type ApiResponse, type Failure, type Problem } from '../errors/response';
import { invalidPath, type RetrySafety } from './retry';
import { markUnknownCredits } from './credits';

/** A list of the service that shows a started job. */
export interface JobLookup {
	list: Endpoint;
	query?: IDataObject;
	/** The response field that holds the jobs. */
	entries: string;
	/** The URL or the prompt that the list shows of the job. */
	target: string;
	/** Whether the list returns the `origin` of each request, in which a start has its own mark. */
	showsOrigin?: boolean;
}

/** What a failed request means to the operation that sent it, where that is more than its code says. */
export interface Explanation {
	/** What happened, before the service's words. */
	text?: string;
	/** What to do, in the place of the general advice. */
	advice?: string;
	/** What to do beside it. */
	also?: string;
	/** The input item at fault. */
	itemIndex?: number;
	/** The path of a rejected field in the item's own request. */
	pathOf?(path: Problem['path']): Problem['path'];
}

/** A request to the API. */
export interface Request {
	endpoint: Endpoint;
	/** Values of the path parameters. */
	ids?: Record<string, string>;
	/** Path and query of a list's next page, from the response. Replaces the endpoint's path. */
	nextPage?: string;
	query?: IDataObject;
	body?: object;
	headers?: Record<string, string>;
	/** The service's own timeout in milliseconds, if the request or the spec has one. */
	serviceTimeout?: number;
	/** Longest wait for the whole response in milliseconds, if it can be requested again. */
	longestWait?: number;
	/** Whether a response marked as failed is a success: the requested result of something that failed. */
	accepts?(response: ApiResponse): boolean;
	/** Explains its failure. */
	explain?(failure: Failure): Explanation | undefined;
	/** Retry safety, if it differs from the endpoint's. */
	retrySafety?: RetrySafety;
	/** The list that shows the job that it starts. */
	jobLookup?: JobLookup;
	/** Headers for another attempt, with a new key if the last may be used up; by default the same. */
	freshHeaders?(): Record<string, string>;
	/** Credits that it costs at least, or at most with `limitedBy`; 0 if only the response shows; free if omitted. */
	price?: number;
	/** Field of its body that limits its cost in credits. */
	limitedBy?: 'limit' | 'maxCredits';
}

/** The path of a request, with its IDs encoded. */
export const pathOf = ({ endpoint, ids = {}, nextPage }: Request): string =>
	nextPage ??
	endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name]));

/** The possible cost of a retry: none, unless the request or its endpoint defines one. */
export const retrySafetyOf = ({ endpoint, retrySafety }: Request): RetrySafety =>
	retrySafety ?? endpoint.retrySafety;

/** n8n's contexts that can send a request: an action node, a trigger, a webhook or a list. */
export type HttpFunctions = ThisParameterType<
	IExecuteFunctions['helpers']['httpRequestWithAuthentication']
>;

const stopSignalName = 'getExecutionCancelSignal';

/** Wraps n8n's context so that a request of a stopped execution is still sent and received. */
export const unstoppable = (context: HttpFunctions): HttpFunctions =>
	new Proxy(context, { has: (target, key) => key !== stopSignalName && key in target });

/** The signal of a stopped execution, if the context has an execution. */
export const stopSignalOf = (context: HttpFunctions): AbortSignal | undefined =>
	stopSignalName in context ? context[stopSignalName]() : undefined;

export const credentialType = 'webDataApi';

export const defaultTimeout = 300_000;
const margin = 30_000;

/** Longer than the service's own timeout, so that no charged response is dropped. Milliseconds. */
const timeoutFor = (serviceTimeout = 0) => Math.max(defaultTimeout, serviceTimeout + margin);

/** Result of sending a request once. `size` is that of the response in bytes. */
export type Exchange = { success: ApiResponse; size?: number } | { failure: Failure };

/** Message of n8n's SSRF protection for a blocked host name or IP address. */
const ssrfBlock = /^The request was blocked because /;

/** Parses n8n's error for a request without response; n8n before 2.0 drops the cause with its code. */
export function networkFailure(error: unknown): { failure: Failure } {
	const cause: unknown = error instanceof Error ? error.cause : undefined;
	const textIn = (...names: string[]) =>
		firstText(...[cause, error].flatMap((each) => names.map((name) => propertyOf(each, name))));
	const message = textIn('message') || 'no response';
	const code = ssrfBlock.test(message) ? blockedByN8n : textIn('code', 'httpCode') || 'UNKNOWN';
	return { failure: { networkError: { code, message } } };
}

/** Full response of n8n's client. */
interface Response {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** Bytes of a megabyte. */
const megabyte = 1_000_000;

/**
 * Most megabytes of an API response: far above the service's own limits, 10 for pages and 50 for
 * files (https://docs.firecrawl.dev/api-reference/endpoint/crawl-get), and within n8n's memory.
 */
const largestResponse = 100;

/** A body stream of n8n's client, decompressed. */
type Incoming = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

const isIncoming = (body: unknown): body is Incoming =>
	typeof body === 'object' && body !== null && 'on' in body && 'destroy' in body;

const failed = (code: string, message: string) => Object.assign(new Error(message), { code });

/** The reason of a body that neither ends nor fails. It is shared, since each error captures its stack. */
const cutOff = failed('ECONNRESET', 'the connection was closed before the end of the response');

/** Reads a body by its events, which take less time than iterating. A failure aborts its request. */
const readWithin = async (
	body: Incoming,
	most: number,
	request: AbortController,
): Promise<Buffer> =>
	await new Promise((resolve, reject) => {
		const chunks: Uint8Array[] = [];
		let size = 0;
		body.on('data', (chunk: Uint8Array) => {
			size += chunk.length;
			if (size <= most * megabyte) chunks.push(chunk);
			else request.abort(failed('ERR_TOO_LARGE', `the response is larger than ${most} MB`));
		});
		body.on('end', () => resolve(Buffer.concat(chunks)));
		body.on('error', (error) => request.abort(error));
		body.on('close', () => reject(cutOff));
		request.signal.addEventListener('abort', () => {
			body.destroy();
			reject(request.signal.reason);
		});
	});

/** Requests in flight: since when their response is being received, and how long at most; no limit before. */
const inFlight = new Map<AbortController, { since: number; most: number }>();
let watch = new AbortController();

/** Aborts late requests. One look a second at all of them takes far less than a timer of each. */
async function abortLate(): Promise<void> {
	watch = new AbortController();
	const { signal } = watch;
	while (!signal.aborted) {
		await settle(delay(1_000, signal));
		const now = monotonicNow();
		for (const [request, { since, most }] of inFlight)
			if (now >= since + most)
				request.abort(failed('ECONNABORTED', `the response took longer than ${most} ms`));
	}
}

/** Limits of a request and its response. Times in milliseconds. */
interface Bounds {
	/** Most megabytes to read. */
	most: number;
	/** Longest time to read the body once it has begun. */
	timeout: number;
	/** Longest time from the request to the end of its response; unlimited if omitted. */
	longestWait?: number;
	/** Aborts both. */
	stop?: AbortSignal;
}

/** The reason of aborted requests. It is shared, since each error captures its stack. */
const ended = new Error('The request has ended');

/** Sends a request with an abort signal. */
export type Send = (abortSignal: AbortSignal) => Promise<Response>;

/**
 * Reads the whole response, its body as bytes if it was read here. n8n's client limits no size, returns
 * a response as soon as it begins, and keeps one that stalls, without an end, until its signal aborts.
 * @throws Error with the code ERR_TOO_LARGE, ECONNABORTED, or the connection's; any if stopped
 */
export async function readResponse(
	send: Send,
	{ most, timeout, longestWait = Infinity, stop }: Bounds,
): Promise<ApiResponse> {
	const request = new AbortController();
	const { signal } = request;
	const end = () => request.abort(ended);
	if (stop?.aborted) end();
	stop?.addEventListener('abort', end, { once: true });
	const sentAt = monotonicNow();
	inFlight.set(request, { since: sentAt, most: Infinity });
	if (inFlight.size === 1) void abortLate();
	try {
		const { statusCode: status, headers, body } = await send(signal);
		if (!isIncoming(body)) return { status, headers, body };
		signal.throwIfAborted();
		const since = monotonicNow();
		inFlight.set(request, { since, most: Math.min(timeout, sentAt + longestWait - since) });
		return { status, headers, body: await readWithin(body, most, request) };
	} finally {
		inFlight.delete(request);
		if (inFlight.size === 0) watch.abort();
		stop?.removeEventListener('abort', end);
	}
}

const utf8 = new TextDecoder();

/** Decodes the bytes of a response to text or JSON; of a long error, only the beginning. */
function decodeBody(response: ApiResponse): ApiResponse {
	const body = Buffer.isBuffer(response.body) ? utf8.decode(response.body) : response.body;
	if (typeof body !== 'string') return { ...response, body };
	const json = response.status > 299 ? beginningOf(body) : body;
	const parsed = parseJson(json);
	return { ...response, body: parsed === json ? body : parsed };
}

/** Whether a response is a success: 2xx, JSON, and not marked as failed. */
function succeeded({ status, body }: ApiResponse): boolean {
	if (status < 200 || status > 299 || typeof body !== 'object' || body === null) return false;
	return !('success' in body && body.success === false);
}

/** Bytes of a response body; 0 if n8n has parsed it. */
const sizeOf = ({ body }: ApiResponse) =>
	Buffer.isBuffer(body) || typeof body === 'string' ? body.length : 0;

/** Sends a request to the API and reads the whole response. Never throws. */
export const exchangeOf = async (
	send: Send,
	bounds: Omit<Bounds, 'most'>,
	accepts?: Request['accepts'],
): Promise<Exchange> =>
	await readResponse(send, { most: largestResponse, ...bounds }).then(
		async (bytes): Promise<Exchange> => {
			const response = decodeBody(bytes);
			// What follows takes as long as parsing it; each response comes in a turn of its own.
			if (sizeOf(bytes) > megabyte / 10) await delay(0);
			markUnknownCredits(response.body);
			const good = succeeded(response) || accepts?.(response) === true;
			return good ? { success: response, size: sizeOf(bytes) } : { failure: { response } };
		},
		networkFailure,
	);

/** Whether a path has dot segments (RFC 3986, 5.2.4), as an ID of dots makes despite encoding. */
const hasDotSegments = (path: string) =>
	path
		.split(/[?#]/, 1)[0]
		.split('/')
		.some((step) => /^(\.|%2e){1,2}$/i.test(step));

const notSent: Exchange = {
	failure: { networkError: { code: invalidPath, message: 'not sent: the ID is not valid' } },
};

/** Sends one request once, without following redirects. Never throws; a failed request is a value. */
export async function exchange(context: HttpFunctions, request: Request): Promise<Exchange> {
	const { endpoint, query, body, headers, serviceTimeout, longestWait, accepts } = request;
	const path = pathOf(request);
	if (hasDotSegments(path)) return notSent;
	const timeout = Math.min(timeoutFor(serviceTimeout), longestWait ?? Infinity);
	const bounds = { timeout, longestWait, stop: stopSignalOf(context) };
	// n8n would replace the request's signal by that of the execution.
	const sender = unstoppable(context);
	// In bytes, since n8n's client drops object fields named `__proto__`, `constructor` or `prototype`, such as
	// fields of a schema or headers, and parses JSON text again. Forms stay.
	const isJson = body !== undefined && !(body instanceof FormData);
	const send: Send = async (abortSignal) =>
		await context.helpers.httpRequestWithAuthentication.call(sender, credentialType, {
			method: endpoint.method,
			url: path,
			qs: query,
			json: true,
			encoding: 'stream',
			timeout,
			abortSignal,
			arrayFormat: 'repeat',
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			body: isJson ? Buffer.from(JSON.stringify(body)) : body,
			headers: isJson ? { ...headers, 'Content-Type': 'application/json' } : headers,
		});
	return await exchangeOf(send, bounds, accepts);
}
