import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

import { Context, type ServiceOptions } from './context.cjs';
import { allEndpoints } from './endpoints/all.cjs';
import { ApiError } from './errors.cjs';
import { readMultipart } from './endpoints/parse.cjs';
import { errorAnswer, handler, missingRoute, send } from './pipeline.cjs';

type Parts = Pick<Context, 'url' | 'log' | 'clock' | 'faults' | 'teams' | 'ledger' | 'site'>;

/** A running mock server of the hosted API, on loopback; its base URL is without `/v2`. */
export interface Service extends Readonly<Parts> {
	readonly port: number;
	/** Parts that only some tests need. */
	readonly context: Context;
	/** Back to the state after the start. */
	reset(): void;
	/** How many connections are open. */
	connections(): Promise<number>;
	/** Ends every open connection and wait. */
	close(): Promise<void>;
}

const megabyte = 1024 * 1024;
const bodyLimit = 10 * megabyte;
/** Above the largest file, which the endpoint itself refuses. */
const formLimit = 64 * megabyte;

/** Starts the mock server on 127.0.0.1: its answers are computed from the small web and its own state. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
	const context = new Context(options);
	const app = createServer(context, options.tls);
	await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
	const { port } = app.server.address() as AddressInfo;
	context.url = `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`;

	const { url, log, clock, faults, teams, ledger, site } = context;
	return {
		...{ url, port, log, clock, faults, teams, ledger, site, context },
		reset: () => context.reset(),
		connections: async () => await promisify(app.server.getConnections.bind(app.server))(),
		async close() {
			context.close();
			app.server.closeAllConnections();
			await app.close();
		},
	};
}

function createServer(context: Context, tls: ServiceOptions['tls']): FastifyInstance {
	const app = fastify({
		serverFactory: (handle) => (tls ? createTlsServer(tls, handle) : createHttpServer(handle)),
		bodyLimit,
		forceCloseConnections: true,
		// Paper ids in a path can be long.
		routerOptions: { maxParamLength: 2000, caseSensitive: false, ignoreTrailingSlash: true },
	});
	app.addHook('onRequest', async (request, reply) => {
		context.log.add(request, context.clock.now());
		reply.header('date', new Date(context.clock.now()).toUTCString());
	});
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
		const parsed = parsedJson(String(body));
		if (typeof parsed === 'object' && parsed !== null) return done(null, parsed);
		const error = 'Bad request, malformed JSON';
		done(new ApiError(400, { code: 'BAD_REQUEST_INVALID_JSON', error }));
	});
	// A body of any other type is not looked at.
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, {}));
	app.addContentTypeParser(
		'multipart/form-data',
		{ parseAs: 'buffer', bodyLimit: formLimit },
		(request: FastifyRequest, body: Buffer) =>
			readMultipart(body, request.headers['content-type'] ?? ''),
	);
	app.setErrorHandler((error, request, reply) =>
		send(reply, context.log.entryOf(request), errorAnswer(error)),
	);
	for (const endpoint of allEndpoints(context)) {
		app.route({ method: endpoint.method, url: endpoint.path, handler: handler(context, endpoint) });
	}
	const unknown = handler(context, {
		method: 'GET',
		path: '*',
		open: ({ entry }) => missingRoute(entry),
	});
	app.setNotFoundHandler((request: FastifyRequest, reply) => unknown(request, reply));
	// The service lets every page of a browser ask it, for whatever route.
	app.options('*', async (_request, reply) => await reply.code(204).send());
	return app;
}

/** A JSON text's value; no text is an empty object. */
function parsedJson(text: string): unknown {
	try {
		return text === '' ? {} : JSON.parse(text);
	} catch {
		return undefined;
	}
}
