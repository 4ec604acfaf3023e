import { delay } from '../values/time';

/** Bytes of a megabyte. */
const megabyte = 1_000_000;

/**
 * Most megabytes of an API response: far above the service's own limits, 10 for pages and 50 for
 * files (https://docs.firecrawl.dev/api-reference/endpoint/crawl-get), and within n8n's memory.
 */
export const largestResponse = 100;

/** A body stream of n8n's client, decompressed. */
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
 * Reads a body of at most `most` megabytes, counted after decompression. n8n's client has no limit,
 * and one response could exhaust the memory of all workflows. Returns a body that n8n has already
 * read.
 * @throws Error with the code ERR_TOO_LARGE, ECONNABORTED after `timeout` milliseconds, or the
 * connection's; any if `signal` aborts the request
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
	// Does not depend on the end of the body, which n8n's client does not report if a response
	// stalls.
	return await Promise.race([whole, late]).finally(() => body.destroy());
}
