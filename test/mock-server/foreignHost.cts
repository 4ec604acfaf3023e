import { createServer, type IncomingHttpHeaders } from 'node:http';

import { listen } from './loopback.cjs';

export interface ForeignHost {
	/** Another origin than the service's. */
	readonly url: string;
	/** Every request received. */
	readonly requests: Array<{
		method: string;
		path: string;
		headers: IncomingHttpHeaders;
		body: string;
	}>;
	close(): Promise<void>;
}

/** A host that is not the service: whatever reaches it proves what a client sends to strangers. */
export async function startForeignHost(): Promise<ForeignHost> {
	const requests: ForeignHost['requests'] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			requests.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ success: true, data: {} }));
		});
	});
	const { port, close } = await listen(server);
	return { url: `http://127.0.0.1:${port}`, requests, close };
}
