import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { useTestBed } from '../testBed.cjs';
import { itemWith, stored } from './inputFiles.cjs';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

const megabyte = 1024 * 1024;
const size = 24 * megabyte;

/** What the process holds on to, in bytes. Each collection frees what the one before it found. */
function held(): number {
	for (let round = 0; round < 2; round++) {
		if (typeof collectGarbage === 'function') collectGarbage();
	}
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}

interface Sink {
	url: string;
	/** Bytes of each request's body. */
	received: number[];
	/** The most that the process held on to while a body came in. */
	most: number;
	close(): void;
}

/** A service that counts what reaches it and keeps nothing of it; its first answer to a large file is a 502. */
async function startSink(): Promise<Sink> {
	const server = createServer((request, response) => {
		const index = sink.received.push(0) - 1;
		request.on('data', (chunk: Buffer) => {
			const before = sink.received[index];
			sink.received[index] += chunk.length;
			const isPast = (step: number) =>
				Math.floor(before / step) < Math.floor(sink.received[index] / step);
			if (isPast(16 * megabyte)) sink.most = Math.max(sink.most, held());
		});
		request.on('end', () => {
			const data = { markdown: 'Read' };
			const isFirstFile = sink.received.filter((bytes) => bytes >= size).length === 1;
			const refused = isFirstFile && sink.received[index] >= size;
			response.writeHead(refused ? 502 : 200, { 'retry-after': '0.001' });
			response.end(JSON.stringify({ success: true, data }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const sink: Sink = {
		url: `http://127.0.0.1:${port}`,
		received: [],
		most: 0,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
	return sink;
}

function* largeContent(): Generator<Buffer> {
	for (let made = 0; made < size; made += megabyte) yield Buffer.alloc(megabyte, 'tide ');
}

/** Files that n8n keeps on disk pass through, also when they are sent again. */
describe('a large file on disk', () => {
	const testBed = useTestBed();

	it('is never in memory as a whole', async () => {
		const sink = await startSink();
		const account = { credentials: { webDataApi: { baseUrl: sink.url, apiKey: 'fc-key' } } };
		const parse = async (content: Iterable<Buffer>) =>
			await testBed.run(
				'file',
				'parse',
				{ binaryPropertyName: 'data' },
				{
					account,
					input: [itemWith(await stored('log.html', 'text/html', Readable.from(content)))],
				},
			);
		// What is loaded for the first file alone stays.
		await parse([Buffer.from('tide')]);
		const before = held();

		const run = await parse(largeContent());

		sink.close();
		expect(run.error).toBeUndefined();
		expect(sink.received.filter((bytes) => bytes >= size)).toHaveLength(2);
		expect(sink.most).toBeGreaterThan(0);
		expect(sink.most - before).toBeLessThan(size / 3);
	});
});
