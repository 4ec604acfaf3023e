import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import type { ApiOrder } from './contest.cjs';
import { serveOrders } from '../test/remote.cjs';

/** What the response to a search looks like: 5 results, 2 kB. */
const found = {
	success: true,
	data: {
		web: Array.from({ length: 5 }, (_, index) => ({
			url: `https://example.com/pages/${index}`,
			title: `Result ${index}`,
			description: 'What the page says about the question, in two lines or three. '.repeat(5),
			position: index + 1,
		})),
	},
	creditsUsed: 2,
	id: '0197a4c3-4f7e-7d2c-9b1a-5d3f8e6c2a10',
};

/** And that to a scrape, with 2 kB of markdown. */
const scraped = {
	success: true,
	data: {
		markdown: 'Tide after tide the gauge writes down the height of the water. '.repeat(32),
		metadata: { title: 'Tides', sourceURL: 'https://example.com/tides', statusCode: 200 },
	},
};

const responses = new Map([
	['/v2/search', JSON.stringify(found)],
	['/v2/scrape', JSON.stringify(scraped)],
]);

let latency = 0;

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
	await text(request);
	if (latency > 0) await after(latency);
	const content = responses.get(request.url ?? '') ?? '{}';
	response
		.writeHead(responses.has(request.url ?? '') ? 200 : 404, {
			'content-type': 'application/json; charset=utf-8',
			'content-length': Buffer.byteLength(content),
		})
		.end(content);
}

const server = createServer((request, response) => {
	respond(request, response).catch(() => response.destroy());
});

serveOrders(async (order: ApiOrder): Promise<string> => {
	if (!server.listening) {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
	}
	({ latency } = order);
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
});
