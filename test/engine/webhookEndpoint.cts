import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as n8n hands it to nodes: node's own, with the raw and the parsed body where n8n read one. */
export type ExpressRequest = IncomingMessage & { rawBody?: Buffer; body?: unknown };

/** A response as nodes use it: node's own, with Express's short form. */
export type ExpressResponse = ServerResponse & { status(code: number): ExpressResponse };

/** An error that n8n answers with its status. */
export class RefusedCall extends Error {
	constructor(readonly status: number) {
		super(`Refused with ${status}`);
	}
}

export interface Endpoint {
	readonly port: number;
	close(): Promise<void>;
}

/** Listens on loopback for calls, as n8n's server does for those of its webhooks. */
export async function openEndpoint(
	answer: (request: ExpressRequest, response: ExpressResponse) => Promise<void>,
	port: number,
): Promise<Endpoint> {
	const server = createServer((incoming, outgoing) => {
		const response: ExpressResponse = Object.assign(outgoing, {
			status(code: number) {
				outgoing.statusCode = code;
				return response;
			},
		});
		readBody(incoming)
			.then(async (request) => await answer(request, response))
			.catch((error: unknown) => {
				response.status(error instanceof RefusedCall ? error.status : 500).end();
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

/** Reads the body of a request as n8n does where it is JSON: as it came, and what it says. */
async function readBody(incoming: IncomingMessage): Promise<ExpressRequest> {
	const rawBody = await buffer(incoming);
	return Object.assign(incoming, { rawBody, body: JSON.parse(rawBody.toString()) as unknown });
}
