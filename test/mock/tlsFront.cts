import { request as forward } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { generate } from 'selfsigned';

import { listen } from './loopback.cjs';

/** How the certificate of a TLS front is signed; nobody trusts any of them. */
export type Signer =
	| 'itself'
	| 'an authority that is sent along'
	| 'an authority that is not sent along';

const named = (value: string) => [{ name: 'commonName', value }];
const loopback = {
	name: 'subjectAltName' as const,
	altNames: [{ type: 7 as const, ip: '127.0.0.1' }],
};

async function certificate(signer: Signer) {
	const settings = { keyType: 'ec' as const, algorithm: 'sha256' };
	if (signer === 'itself') {
		const own = await generate(named('127.0.0.1'), { ...settings, extensions: [loopback] });
		return { key: own.private, cert: own.cert };
	}
	const authority = await generate(named('Nobody knows this authority'), {
		...settings,
		extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
	});
	const signed = await generate(named('127.0.0.1'), {
		...settings,
		extensions: [loopback],
		ca: { key: authority.private, cert: authority.cert },
	});
	const chain = signer === 'an authority that is sent along' ? authority.cert : '';
	return { key: signed.private, cert: `${signed.cert}\n${chain}` };
}

export type TlsFront = Awaited<ReturnType<typeof startTlsFront>>;

/** An HTTPS address in front of a server on loopback: it hands requests on, and names itself where answers name the server. */
export async function startTlsFront(target: string, signer: Signer = 'itself') {
	let url = '';
	let requests = 0;
	const server = createServer(await certificate(signer), (incoming, outgoing) => {
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
