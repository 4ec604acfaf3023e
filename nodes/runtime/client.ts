import type { IDataObject, IExecuteFunctions, IHttpRequestMethods } from 'n8n-workflow';
import { fromJson } from './json';
import { largestAnswer, readBody } from './readBody';
import type { Answer, Failure, RepeatCost } from './retry';

/** A request to the API. `path` begins with a slash and has its ids encoded. */
export interface Request {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: object;
	headers?: Record<string, string>;
	/** The service's own time for the answer in milliseconds, when the request or the spec names one. */
	serviceTimeout?: number;
	/** Answers that are good though the service marks them as failed: what was asked for, with a failure in it. */
	accepts?(answer: Answer): boolean;
	cost: RepeatCost;
	/** Most credits that it may cost, as far as the request tells (the spec's price list); the answer says what it did. */
	price?: number;
}

/** A file on its way to an address that the service named. */
export interface Upload {
	url: string;
	method: IHttpRequestMethods;
	headers: Record<string, string>;
	body: File | FormData;
}

/** Where n8n lets a request be sent from: an action node, a trigger, a webhook or a list. */
export type HttpContext = ThisParameterType<
	IExecuteFunctions['helpers']['httpRequestWithAuthentication']
>;

/** n8n aborts every request of a stopped execution; through this view of it, a request still goes out and comes back. */
export const unstoppable = (context: HttpContext): HttpContext =>
	new Proxy(context, {
		has: (target, key) => key !== 'getExecutionCancelSignal' && key in target,
	});

export const credentialType = 'webDataApi';

const usualTimeout = 300_000;
const margin = 30_000;

/** Longer than the service's own time, so that no answer that is paid for is dropped. Milliseconds. */
const timeoutFor = (serviceTimeout = 0) => Math.max(usualTimeout, serviceTimeout + margin);

const textOf = (value: unknown, name: string): string | undefined => {
	const found: unknown =
		typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
	return typeof found === 'string' ? found : undefined;
};

/** What came of sending a request once. */
export type Reply = { success: Answer } | { failure: Failure };

/** Reads n8n's error for a request without answer; axios keeps the network's code in the cause. */
function asSilence(error: unknown): Reply {
	const cause: unknown = error instanceof Error ? error.cause : undefined;
	const code = textOf(cause, 'code') ?? textOf(error, 'code') ?? 'UNKNOWN';
	const words = textOf(cause, 'message') ?? textOf(error, 'message') ?? 'no answer';
	return { failure: { silence: { code, words } } };
}

/** What n8n's client answers when it is asked for everything. */
interface Response {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** Ends the reading of an answer too: n8n hands it over as soon as it begins. */
interface Bounds {
	/** Most megabytes that are read. */
	most: number;
	/** Longest time for that in milliseconds. */
	timeout: number;
}

/** The whole answer, its body as bytes where it was read here. */
async function read(request: Promise<Response>, { most, timeout }: Bounds): Promise<Answer> {
	const { statusCode: status, headers, body } = await request;
	return { status, headers, body: await readBody(body, most, timeout) };
}

/** The same answer with its text or JSON in the place of bytes. */
const inWords = ({ body, ...answer }: Answer): Answer => ({
	...answer,
	body: fromJson(Buffer.isBuffer(body) ? new TextDecoder().decode(body) : body),
});

const isBlank = (body: unknown) => body === undefined || body === null || body === '';

/** Whether an answer is what was asked for: 2xx, JSON, and not marked as failed (addendum 17, traps 20 and 21). */
function succeeded({ status, body }: Answer): boolean {
	if (status < 200 || status > 299 || isBlank(body) || typeof body !== 'object') return false;
	return !('success' in body && body.success === false);
}

/** Whether a path has steps that mean "here" or "above", which an ID of dots alone makes and no encoding prevents. */
const leadsElsewhere = (path: string) =>
	path
		.split(/[?#]/, 1)[0]
		.split('/')
		.some((step) => /^(\.|%2e){1,2}$/i.test(step));

const notSent: Reply = {
	failure: { silence: { code: 'ERR_INVALID_PATH', words: 'not asked, for the ID is none' } },
};

/**
 * Sends one request once, to the path that it names and no other. Redirects are not followed: a POST
 * would turn into a GET, and the key would leave its origin. Never throws; a failed request is a value.
 */
export async function exchange(
	context: HttpContext,
	{ method, path, query, body, headers, serviceTimeout, accepts }: Request,
): Promise<Reply> {
	if (leadsElsewhere(path)) return notSent;
	const timeout = timeoutFor(serviceTimeout);
	const request = context.helpers.httpRequestWithAuthentication.call(context, credentialType, {
		method,
		url: path,
		qs: query,
		body,
		headers,
		json: true,
		encoding: 'stream',
		timeout,
		arrayFormat: 'repeat',
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	});
	return await read(request, { most: largestAnswer, timeout }).then((bytes): Reply => {
		const answer = inWords(bytes);
		const good = succeeded(answer) || accepts?.(answer) === true;
		return good ? { success: answer } : { failure: { answer } };
	}, asSilence);
}

const isGood = ({ status }: Answer) => status >= 200 && status < 300;

/** Sends a file to an address that the service named, once. It lies on any host, so no key goes along, and no redirect is followed. */
export async function upload(
	context: HttpContext,
	{ url, method, headers, body }: Upload,
): Promise<Reply> {
	const request = context.helpers.httpRequest({
		url,
		method,
		headers,
		body,
		encoding: 'stream',
		timeout: usualTimeout,
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	});
	return await read(request, { most: largestAnswer, timeout: usualTimeout }).then(
		(bytes): Reply => {
			const answer = inWords(bytes);
			return isGood(answer) ? { success: answer } : { failure: { answer } };
		},
		asSilence,
	);
}

/** Fetches a file that the service links to, once, of `most` megabytes at the most. It lies on any host, so no key goes along. The body of a success is a Buffer. */
export async function download(context: HttpContext, url: string, most: number): Promise<Reply> {
	const request = context.helpers.httpRequest({
		url,
		encoding: 'stream',
		timeout: usualTimeout,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	});
	return await read(request, { most, timeout: usualTimeout }).then(
		(answer): Reply =>
			isGood(answer) && Buffer.isBuffer(answer.body)
				? { success: answer }
				: { failure: { answer: inWords(answer) } },
		asSilence,
	);
}
