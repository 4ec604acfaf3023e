import http from 'node:http';
import https from 'node:https';
import type { Findings } from './findings.cjs';

/** A request that this process has sent. */
export interface Sent {
	method: string;
	host: string;
	path: string;
	headers: Record<string, unknown>;
}

/** Where nobody listens. */
const nowhere = { protocol: 'http:', host: '127.0.0.1', hostname: '127.0.0.1', port: 1 };

const isHere = (host: string) => /^(127\.0\.0\.1|localhost)(:|$)/.test(host);

/** What is sent during the tests of a file, and to whom. To other machines nothing goes: nobody listens there. */
export function useOutgoing(): Sent[] {
	const sent: Sent[] = [];
	const { request } = http;
	const { request: secure } = https;
	const watch = (...given: unknown[]): http.ClientRequest => {
		const options = Object(given.find((each) => typeof each === 'object'));
		const { method = 'GET', path = '', headers = {}, port } = options;
		const host = `${options.hostname ?? options.host}${port ? `:${port}` : ''}`;
		sent.push({ method, host, path, headers: { ...headers } });
		const there = isHere(host) ? {} : { ...nowhere, agent: undefined, agents: undefined };
		const callback = given.find((each) => typeof each === 'function');
		return Reflect.apply(before, http, [{ ...options, ...there }, callback]);
	};
	let before: typeof http.request = request;
	beforeEach(() => {
		sent.length = 0;
		before = http.request;
		Object.assign(http, { request: watch });
		Object.assign(https, { request: watch });
	});
	afterEach(() => {
		Object.assign(http, { request: before });
		Object.assign(https, { request: secure });
	});
	return sent;
}

/** Headers that a service may not have sent in its name to whom it names. */
const foreign =
	/^(host|authorization|cookie|proxy-.*|metadata.*|x-aws-ec2-metadata.*|x-forwarded.*|x-api-key|transfer-encoding|connection|upgrade)$/i;

/** Whether anything went to others than these hosts, or took along what is not theirs. */
export const outgoingFindings = (sent: Sent[], own: string[], key: string): Findings =>
	sent.flatMap(({ method, host, path, headers }) => {
		if (own.includes(host)) return [];
		const asked = `${method} ${host}${path.slice(0, 80)}`;
		const given = Object.entries(headers).filter(
			([name, value]) =>
				foreign.test(name) && !(/^(host|connection)$/i.test(name) && plain(name, value, host)),
		);
		return [
			...given.map(([name]) => `${asked} with the header ${name}`),
			...(JSON.stringify(headers).includes(key) ? [`${asked} with the key`] : []),
		];
	});

const plain = (name: string, value: unknown, host: string): boolean =>
	/^host$/i.test(name) ? value === host : ['close', 'keep-alive'].includes(String(value));
