import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { IWebhookResponseData } from 'n8n-workflow';

/** A request as n8n hands it to nodes: node's own, with the raw and the parsed body. */
export type ExpressRequest = IncomingMessage & {
	rawBody: Buffer;
	body: unknown;
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

async function expressRequest(
	incoming: IncomingMessage,
	query: URLSearchParams,
): Promise<ExpressRequest> {
	const rawBody = await buffer(incoming);
	const contentType = incoming.headers['content-type']?.split(';')[0];
	const json = contentType === 'application/json' && rawBody.length > 0;
	return Object.assign(incoming, {
		rawBody,
		body: json ? parsed(rawBody.toString()) : {},
		query: Object.fromEntries(query),
		params: {},
		contentType,
	});
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new RefusedCall(422, 'Failed to parse request body');
	}
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
