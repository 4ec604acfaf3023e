import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An answer of the service, its JSON parsed. */
export interface ServiceAnswer {
	status: number;
	type: string;
	body: unknown;
}

/** What goes out in an answer's place: text is sent as it is, everything else as JSON. */
export type Change = (answer: ServiceAnswer) => ServiceAnswer;

/** Stands before the service, and changes its answers after it has made them. */
export interface AnswerProxy {
	/** The base URL to call in the service's place. */
	readonly url: string;
	/** Bytes of the answers since the last change. */
	readonly sent: number;
	/** Whether an answer is on its way. */
	readonly isBusy: boolean;
	/** From now on answers are changed so. */
	change(change: Change): void;
}

/** The same answer as the text that goes out. */
export const asText = ({ body, ...answer }: ServiceAnswer): ServiceAnswer => ({
	...answer,
	body: typeof body === 'string' ? body : (JSON.stringify(body) ?? ''),
});

/** A proxy for the tests of a file. The service's own addresses in its answers become the proxy's. */
export function useAnswerProxy(serviceUrl: () => string): AnswerProxy {
	let change: Change = (answer) => answer;
	let sent = 0;
	const answering = new Set<object>();
	let url = '';

	const forward = async (request: IncomingMessage) => {
		const { method = 'GET', url: path = '' } = request;
		const body = await buffer(request);
		const { host, connection, 'content-length': length, ...headers } = request.headers;
		const answer = await fetch(serviceUrl() + path, {
			method,
			headers: Object.entries(headers).map(([name, value]): [string, string] => [
				name,
				String(value),
			]),
			redirect: 'manual',
			...(body.length > 0 && { body }),
		});
		const { socket } = request;
		// n8n's client closes its connection when it has read the answer.
		answering.add(socket);
		socket.once('close', () => answering.delete(socket));
		if (socket.destroyed) answering.delete(socket);
		const type = answer.headers.get('content-type') ?? '';
		const bytes = Buffer.from(await answer.arrayBuffer());
		if (!type.includes('json')) return { status: answer.status, type, bytes };
		const own = bytes.toString().replaceAll(serviceUrl(), url);
		const changed = asText(change({ status: answer.status, type, body: JSON.parse(own) }));
		return { ...changed, bytes: Buffer.from(String(changed.body)) };
	};
	const server = createServer((request, response) => {
		forward(request).then(
			({ status, type, bytes }) => {
				sent += bytes.length;
				response.writeHead(status, { 'content-type': type }).end(bytes);
			},
			(error: unknown) => void response.writeHead(599).end(String(error)),
		);
	});
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterAll(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return {
		get url() {
			return url;
		},
		get isBusy() {
			return answering.size > 0;
		},
		get sent() {
			return sent;
		},
		change(next) {
			change = next;
			sent = 0;
		},
	};
}
