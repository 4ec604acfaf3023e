import './speed.cjs';

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as realTimeout } from 'node:timers/promises';
import { Bucket } from './bucket.cjs';
import type { ApiOrder, ApiReport, Hint } from './api.cjs';
import { serveOrders } from './remote.cjs';

/** What the answer to a search looks like: 5 results, 2 kB. */
const searchAnswer = {
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

const sentence = 'Tide after tide the gauge writes down the height of the water. ';

/** And that to a scrape, with so many bytes of markdown. */
const scrapeAnswer = (bytes: number) => ({
	success: true,
	data: {
		markdown: sentence.repeat(Math.ceil(bytes / sentence.length)),
		metadata: { title: 'Tides', sourceURL: 'https://example.com/tides', statusCode: 200 },
	},
});

const answers = new Map([['/v2/search', JSON.stringify(searchAnswer)]]);

let latency = 0;
let bucket: Bucket | undefined;
let hint: Hint = 'header';
let report: ApiReport = {
	url: '',
	received: 0,
	refused: 0,
	mostAtOnce: 0,
	answered: {},
};
let atOnce = 0;

function reply(response: ServerResponse, status: number, body: string, headers = {}): void {
	response
		.writeHead(status, {
			'content-type': 'application/json; charset=utf-8',
			'content-length': Buffer.byteLength(body),
			...headers,
		})
		.end(body);
}

function refuse(response: ServerResponse, wait: number): void {
	report.refused += 1;
	const seconds = Math.ceil(wait / 1000);
	const words =
		hint === 'text'
			? `Rate limit exceeded. Upgrade your plan or please retry after ${seconds}s`
			: 'Rate limit exceeded';
	const headers = hint === 'header' ? { 'retry-after': String(seconds) } : {};
	reply(response, 429, JSON.stringify({ success: false, error: words }), headers);
}

/** Answers at once or after the latency; with a plan, notes which query was answered when. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const content = answers.get(request.url ?? '');
	if (request.method !== 'POST' || content === undefined) return reply(response, 404, '{}');
	report.received += 1;
	const body = await text(request);
	const turn = bucket?.take(Date.now());
	if (typeof turn === 'object') return refuse(response, turn.wait);
	atOnce += 1;
	report.mostAtOnce = Math.max(report.mostAtOnce, atOnce);
	if (latency > 0) await new Promise((resolve) => setTimeout(resolve, latency));
	if (bucket) {
		const { query = '' }: { query?: string } = JSON.parse(body);
		report.answered[query] = (report.answered[query] ?? 0) + 1;
		bucket.giveBack();
	}
	atOnce -= 1;
	reply(response, 200, content);
}

const server = createServer((request, response) => {
	answer(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 60_000;

/** Starts anew with a latency and a plan, or tells what has happened since. */
async function obey(order: ApiOrder): Promise<ApiReport> {
	if (!server.listening) {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
	}
	if (order.begin) {
		// What a run before has left open is over when nobody waits for it any more.
		while (atOnce > 0) await realTimeout(1);
		latency = order.begin.latency ?? 0;
		bucket = order.begin.plan && new Bucket(order.begin.plan, Date.now());
		hint = order.begin.hint ?? 'header';
		answers.set('/v2/scrape', JSON.stringify(scrapeAnswer(order.begin.pageBytes ?? 2_000)));
		const { port } = server.address() as AddressInfo;
		const url = `http://127.0.0.1:${port}/v2`;
		report = { url, received: 0, refused: 0, mostAtOnce: 0, answered: {} };
	}
	return report;
}

serveOrders(obey);
