import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { IDataObject } from 'n8n-workflow';
import { createEngine, type Engine } from '../test/engine/harness.cjs';
import { serveOrders } from '../test/remote.cjs';

/** A response to an operation of the Web Data node. */
export interface HostileResponse {
	status?: number;
	body: string;
	parameters: IDataObject;
	/** Whether the node runs as a tool of an AI model. */
	isTool?: boolean;
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

let engine: Engine | undefined;

process.once('exit', () => engine?.close());
process.once('SIGTERM', () => process.exit());
serveOrders(async (order: HostileResponse): Promise<HostilePause> => {
	const { status = 200, body, parameters, isTool = false } = order;
	const node = (engine ??= await createEngine());
	const isJson = body.startsWith('{');
	const bytes = Buffer.from(body);
	const server = createServer((_request, response) => {
		const type = isJson ? 'application/json' : 'text/html';
		response.writeHead(status, { 'content-type': type }).end(bytes);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const pause = await longestPause(
		async () =>
			await node.runNode({
				credentials: { webDataApi: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'fc-x' } },
				parameters: { ...parameters, options: { maxRetryTime: 0 } },
				onError: 'continueRegularOutput',
				...(isTool && { node: { type: node.typeName('webDataTool') } }),
			}),
	);
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
	const text = isJson ? body : JSON.stringify(body);
	return { node: pause, floor: await longestPause(async () => void JSON.parse(text)) };
});
