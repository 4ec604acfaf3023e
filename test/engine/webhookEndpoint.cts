import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse as parseForm } from 'node:querystring';
import { buffer } from 'node:stream/consumers';
import { createGunzip, createInflate } from 'node:zlib';
import type { IWebhookResponseData } from 'n8n-workflow';

/** A request as n8n hands it to nodes: node's own, with the raw and the parsed body where n8n read one. */
export type ExpressRequest = IncomingMessage & {
	rawBody?: Buffer;
	body?: unknown;
	query: Record<string, string>;
	params: Record<string, string>;
	contentType?: string;
};

/** A response as nodes use it: node's own, with Express's short forms. */
export type ExpressResponse = ServerResponse & {
	status(code: number): ExpressResponse;
	json(body: unknown): ExpressResponse;
	send(body?: unknown): ExpressResponse;
};

/** A call of n8n from outside. */
export interface WebhookCall {
	pathname: string;
	query: URLSearchParams;
	request: ExpressRequest;
	response: ExpressResponse;
}

/** An error that n8n answers with its status and message. */
export class RefusedCall extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

export interface Endpoint {
	readonly port: number;
	close(): Promise<void>;
}

type Answer = (call: WebhookCall) => Promise<IWebhookResponseData | 'answered'>;

/** Listens on loopback for calls, as n8n's server does for those of its webhooks. */
export async function openEndpoint(answer: Answer, port: number): Promise<Endpoint> {
	const server = createServer((incoming, outgoing) => {
		const response = expressResponse(outgoing);
		handle(answer, incoming, response).catch((error: Error) => {
			const status = error instanceof RefusedCall ? error.status : 500;
			response.status(status).json({ code: status, message: error.message });
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, '127.0.0.1', resolve);
	});
	return {
		port: (server.address() as AddressInfo).port,
		close: async () =>
			await new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

async function handle(
	answer: Answer,
	incoming: IncomingMessage,
	response: ExpressResponse,
): Promise<void> {
	const { pathname, searchParams: query } = new URL(incoming.url ?? '', 'http://127.0.0.1');
	const request = await expressRequest(incoming, query);
	const answered = await answer({ pathname, query, request, response });
	if (answered !== 'answered') response.status(200).json(answered.webhookResponse);
}

/** The most that n8n reads of a body, unpacked: its N8N_PAYLOAD_SIZE_MAX. */
const mostBytes = 16 * 1024 * 1024;

/** The body as n8n reads it (its `body-parser`): unpacked where it is gzip or deflate. */
async function rawBodyOf(incoming: IncomingMessage): Promise<Buffer> {
	const unpack = { gzip: createGunzip, deflate: createInflate }[
		String(incoming.headers['content-encoding'])
	];
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of unpack ? incoming.pipe(unpack()) : incoming) {
		size += chunk.length;
		// The rest is read, too, so that the caller reads the answer.
		if (size <= mostBytes) chunks.push(chunk);
	}
	if (size > mostBytes) throw new RefusedCall(413, 'request entity too large');
	return Buffer.concat(chunks);
}

/** What n8n makes of a body by its type; undefined where it knows none. Of XML only that it is an object, of a form's parts only their places. */
function parsedBody(rawBody: Buffer, contentType: string, charset: string): unknown {
	if (rawBody.length === 0) return undefined;
	try {
		// An unknown charset throws, as broken JSON does.
		const text = rawBody.toString(charset as BufferEncoding).replace(/^\ufeff/, '');
		if (contentType === 'application/json') return JSON.parse(text) as unknown;
		if (contentType === 'application/x-www-form-urlencoded') return parseForm(text);
		if (contentType === 'text/plain') return text;
		return /[/+]xml$/.test(contentType) ? { xml: text } : undefined;
	} catch {
		throw new RefusedCall(422, 'Failed to parse request body');
	}
}

async function expressRequest(
	incoming: IncomingMessage,
	query: URLSearchParams,
): Promise<ExpressRequest> {
	const [type, ...parameters] = (incoming.headers['content-type'] ?? '').split(';');
	const contentType = type.toLowerCase();
	const charset = /^charset="?([^"]*)/i.exec(parameters.join(';').trim())?.[1] ?? 'utf-8';
	const request = { query: Object.fromEntries(query), params: {}, contentType };
	// The parts of a form are read into files, those of other multipart types not at all: no raw body is left.
	if (contentType.startsWith('multipart/')) {
		await buffer(incoming);
		const body = contentType === 'multipart/form-data' ? { data: {}, files: {} } : undefined;
		return Object.assign(incoming, { ...request, body });
	}
	const rawBody = await rawBodyOf(incoming);
	return Object.assign(incoming, {
		...request,
		rawBody,
		body: parsedBody(rawBody, contentType, charset),
	});
}

function expressResponse(outgoing: ServerResponse): ExpressResponse {
	const response: ExpressResponse = Object.assign(outgoing, {
		status(code: number) {
			outgoing.statusCode = code;
			return response;
		},
		json(body: unknown) {
			outgoing.setHeader('content-type', 'application/json; charset=utf-8');
			outgoing.end(JSON.stringify(body));
			return response;
		},
		send(body?: unknown) {
			if (typeof body === 'object') return response.json(body);
			outgoing.end(body === undefined ? undefined : String(body));
			return response;
		},
	});
	return response;
}
