import Fastify from 'fastify';

/** A server on this machine that n8n's own nodes send JSON to. */
export class Listener {
	private constructor(
		readonly url: string,
		/** The bodies that were sent, oldest first. */
		readonly received: readonly unknown[],
		/** Ends it. */
		readonly close: () => Promise<void>,
	) {}

	static async open(): Promise<Listener> {
		const server = Fastify({ forceCloseConnections: true });
		const received: unknown[] = [];
		server.post('/', ({ body }) => {
			received.push(body);
			return { ok: true };
		});
		const url = await server.listen({ host: '127.0.0.1', port: 0 });
		return new Listener(url, received, async () => await server.close());
	}
}
