import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that listens on 127.0.0.1. */
export interface Loopback {
	readonly port: number;
	close(): Promise<void>;
}

/** Lets a server listen on a free port of 127.0.0.1. */
export async function listen(server: Server): Promise<Loopback> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		port,
		close() {
			server.closeAllConnections();
			return new Promise((resolve, reject) => {
				server.close((error) => (error ? reject(error) : resolve()));
			});
		},
	};
}
