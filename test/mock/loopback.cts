import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

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
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		async close() {
			server.closeAllConnections();
			await promisify(server.close.bind(server))();
		},
	};
}
