import { delay } from '../host/delay';

/** Bytes of a megabyte, as sizes are counted here. */
const megabyte = 1_000_000;

/**
 * Most megabytes of an answer of the API: far above what the service sends, which cuts its pages at 10
 * and takes files of 50 (https://docs.firecrawl.dev/api-reference/endpoint/crawl-get), and what n8n's memory bears.
 */
export const largestResponse = 100;

/** A body on its way in, as n8n's client hands it over: unpacked, but not read. */
interface Incoming extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): unknown;
}

const isIncoming = (body: unknown): body is Incoming =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body && 'destroy' in body;

const failed = (code: string, message: string) => Object.assign(new Error(message), { code });

async function readWithin(body: Incoming, most: number): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > most * megabyte) {
			throw failed('ERR_TOO_LARGE', `the response is larger than ${most} MB`);
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/**
 * Reads a body of `most` megabytes at the most, counted as it is unpacked: n8n's client has no bound of
 * its own, and one answer could take the memory of all workflows. What n8n has read already is passed on.
 * @throws Error with the code ERR_TOO_LARGE, ECONNABORTED after `timeout` milliseconds, or the connection's;
 * any when `signal` ends the request
 */
export async function readBody(
	body: unknown,
	most: number,
	timeout: number,
	signal: AbortSignal,
): Promise<unknown> {
	if (!isIncoming(body)) return body;
	const whole = readWithin(body, most);
	const late = delay(timeout, signal).then(() => {
		throw failed('ECONNABORTED', `the response took longer than ${timeout} ms`);
	});
	// Not left to the body's own end: n8n's client does not tell it while an answer stalls.
	return await Promise.race([whole, late]).finally(() => body.destroy());
}
