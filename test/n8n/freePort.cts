import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: none of those can take one before its server listens. */
const firstPort = 20_000;
const lastPort = 29_999;

async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	const listening = once(server, 'listening').then(
		() => true,
		() => false,
	);
	server.listen(port, '127.0.0.1');
	if (!(await listening)) return false;
	server.close();
	await once(server, 'close');
	return true;
}

/** A port of loopback that nobody listens on now, drawn so that two test files hardly get the same. */
export async function freePort(): Promise<number> {
	const port = randomInt(firstPort, lastPort + 1);
	return (await isFree(port)) ? port : await freePort();
}
