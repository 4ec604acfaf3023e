import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Lets a server listen on a free port of 127.0.0.1. */
export async function listen(server: Server) {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		port,
		close() {
			server.closeAllConnections();
			return new Promise<void>((resolve, reject) => {
				server.close((error) => (error ? reject(error) : resolve()));
			});
		},
	};
}

export interface ForeignHost {
	readonly url: string;
	readonly requests: Array<{
		method: string;
		path: string;
		headers: IncomingHttpHeaders;
		body: string;
	}>;
	close(): Promise<void>;
}

/** A request that is broken off. */
const ignored = (): void => undefined;

/** A host that is not the service: whatever reaches it proves what a client sends to strangers. */
export async function startForeignHost(): Promise<ForeignHost> {
	const requests: ForeignHost['requests'] = [];
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			const { method = '', url = '', headers } = request;
			requests.push({ method, path: url, headers, body });
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ success: true, data: {} }));
		}, ignored);
	});
	const { port, close } = await listen(server);
	return { url: `http://127.0.0.1:${port}`, requests, close };
}
