import { request as forward } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { generate } from 'selfsigned';

import { listen } from './loopback.cjs';

/** A certificate that nobody trusts: it is signed by itself. */
async function certificate() {
	const names = [{ type: 7 as const, ip: '127.0.0.1' }];
	const own = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		extensions: [{ name: 'subjectAltName', altNames: names }],
	});
	return { key: own.private, cert: own.cert };
}

export type TlsFront = Awaited<ReturnType<typeof startTlsFront>>;

/** An HTTPS address in front of a server on loopback: it hands requests on, and names itself where answers name the server. */
export async function startTlsFront(target: string) {
	let url = '';
	let requests = 0;
	const server = createServer(await certificate(), (incoming, outgoing) => {
		requests += 1;
		const { method, headers } = incoming;
		const answered = forward(target + incoming.url, { method, headers }, (answer) => {
			void buffer(answer).then((body) => {
				const isText = /json|text/.test(answer.headers['content-type'] ?? '');
				const content = isText ? Buffer.from(body.toString().replaceAll(target, url)) : body;
				const { 'transfer-encoding': _chunks, ...others } = answer.headers;
				outgoing.writeHead(answer.statusCode ?? 502, {
					...others,
					'content-length': content.length,
				});
				outgoing.end(content);
			});
		});
		answered.on('error', () => outgoing.destroy());
		incoming.pipe(answered);
	});
	const { port, close } = await listen(server);
	url = `https://127.0.0.1:${port}`;
	return { url, requests: () => requests, close };
}
