import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createEngine, type Engine } from '../test/engine/harness.cjs';
import { WebhookTrigger } from '../test/engine/webhookTrigger.cjs';
import { startService, type Service } from '../test/mock/service.cjs';
import { hostileInput, type HostileInput } from './hostileKinds.cjs';
import { serveOrders } from './remote.cjs';

export interface HostileOrder {
	name: string;
	/** Bytes. */
	size: number;
}

/** The longest time for which nothing else could run, in milliseconds. */
export interface HostilePause {
	node: number;
	/** JSON.parse of the same text; of a JSON text of it where it is none. */
	floor: number;
}

/** The longest time for which nothing else could run meanwhile, in milliseconds. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
	const delays = monitorEventLoopDelay({ resolution: 1 });
	await new Promise((resolve) => setTimeout(resolve, 20));
	delays.enable();
	await new Promise((resolve) => setTimeout(resolve, 20));
	await work();
	await new Promise((resolve) => setTimeout(resolve, 20));
	delays.disable();
	return delays.max / 1e6;
}

let parts: { engine: Engine; service: Service } | undefined;

async function opened() {
	parts ??= { engine: await createEngine(), service: await startService() };
	return parts;
}

const webhookSecret = 'whsec-of-the-team';

/** An active trigger, and the webhook request to it. */
async function triggerWork({
	body,
	hasSecret = false,
}: Extract<HostileInput, { webhook: unknown }>['webhook']) {
	const { engine, service } = await opened();
	const key = 'fc-hostile';
	const secret = hasSecret ? webhookSecret : '';
	service.teams.add({ id: 'hostile', credits: 1e6, webhookSecret: secret || undefined }, key);
	const isJob = body.includes('"crawl');
	const trigger = new WebhookTrigger(engine, {
		node: 'Watch',
		credentials: { webDataApi: { baseUrl: service.url, apiKey: key, webhookSecret: secret } },
		workflow: {
			name: 'Hostile',
			nodes: [
				{
					id: 'watch',
					webhookId: 'hostile',
					name: 'Watch',
					type: engine.typeName('webDataTrigger'),
					typeVersion: 1,
					position: [0, 0],
					parameters: isJob
						? { source: 'webhookEvents' }
						: {
								targets: { values: [{ type: 'scrape', urls: 'https://tidewatch.example' }] },
								schedule: { text: 'hourly' },
								events: ['changed', 'checkCompleted'],
								includePages: true,
							},
				},
			],
			connections: {},
		},
	});
	await trigger.open();
	await trigger.activate();
	const headers = { 'content-type': 'application/json' };
	return {
		work: async () => {
			const response = await fetch(trigger.address, { method: 'POST', headers, body });
			await response.arrayBuffer();
			await trigger.idle();
		},
		close: async () => {
			await trigger.deactivate();
			await trigger.close();
		},
	};
}

/** An operation that receives the response. */
async function operationWork({
	status,
	body,
	isTool = false,
	resource,
	operation,
	parameters,
}: Extract<HostileInput, { response: unknown }>['response']) {
	const { engine } = await opened();
	const bytes = Buffer.from(body);
	const type = body.startsWith('{') ? 'application/json' : 'text/html';
	const server = createServer((_request, response) => {
		response.writeHead(status, { 'content-type': type }).end(bytes);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		work: async () => {
			await engine.runNode({
				credentials: { webDataApi: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'fc-x' } },
				parameters: { resource, operation, ...parameters, options: { maxRetryTime: 0 } },
				onError: 'continueRegularOutput',
				...(isTool && { node: { type: engine.typeName('webDataTool') } }),
			});
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function measure({ name, size }: HostileOrder): Promise<HostilePause> {
	const input = hostileInput(name, size);
	const { body } = 'webhook' in input ? input.webhook : input.response;
	const text = body.startsWith('{') ? body : JSON.stringify(body);
	const { work, close } = await ('webhook' in input
		? triggerWork(input.webhook)
		: operationWork(input.response));
	const node = await longestPause(work);
	await close();
	return { node, floor: await longestPause(async () => void JSON.parse(text)) };
}

process.once('exit', () => parts?.engine.close());
process.once('SIGTERM', () => process.exit());
serveOrders(measure);
