import fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

import { loadSite, type Site } from '../site/site.cjs';
import { Activity } from './activity.cjs';
import { Agents } from './agent/agents.cjs';
import { Clock } from './clock.cjs';
import type { Context, ServiceOptions } from './context.cjs';
import { DeveloperIndex } from './developer.cjs';
import { allEndpoints } from './endpoints/all.cjs';
import { sitePage } from './endpoints/open.cjs';
import { ApiError, badRequest } from './errors.cjs';
import { Faults } from './faults.cjs';
import { Feedback } from './feedback.cjs';
import { Keyless } from './keyless.cjs';
import { Ledger } from './ledger.cjs';
import { Limits } from './limits.cjs';
import { PageJobs } from './pageJobs/pageJobs.cjs';
import { Monitors } from './monitor/monitors.cjs';
import { GovernmentIndex, Papers } from './papers.cjs';
import { readMultipart } from './parse/multipart.cjs';
import { startUploadHost } from './parse/uploadHost.cjs';
import { Uploads } from './parse/uploads.cjs';
import { errorAnswer, handler, missingRoute, send } from './pipeline.cjs';
import { RequestLog } from './requestLog.cjs';
import { reset } from './reset.cjs';
import { ContinuingScrapes } from './scrape/continuing.cjs';
import { ScrapeJobs } from './scrape/jobs.cjs';
import { Scraper } from './scrape/scraper.cjs';
import { SearchIndex } from './search/index.cjs';
import { Sessions } from './sessions/sessions.cjs';
import { SignedFiles } from './signedFiles.cjs';
import { keys, Teams } from './teams.cjs';
import { ThreatScanner } from './threats.cjs';
import { ToolRuns } from './toolCalls/runs.cjs';
import { ToolCatalogue } from './tools.cjs';
import { Webhooks } from './webhooks.cjs';

/** A running mock server of the hosted API, on loopback. */
export interface Service {
	/** Base URL, without `/v2`. */
	readonly url: string;
	readonly port: number;
	readonly log: RequestLog;
	readonly clock: Clock;
	readonly faults: Faults;
	readonly teams: Teams;
	readonly ledger: Ledger;
	readonly site: Site;
	/** The demo keys by what they stand for. */
	readonly keys: typeof keys;
	/** Switches and parts that only some tests need. */
	readonly context: Context;
	/** Back to the state after the start: see `reset.cts`. */
	reset(): void;
	/** How many connections are open. */
	connections(): Promise<number>;
	/** Ends every open connection and wait. */
	close(): Promise<void>;
}

const megabyte = 1024 * 1024;
const bodyLimit = 10 * megabyte;
/** Above the largest file, which the endpoint itself refuses: beyond this it is a 413. */
const formLimit = 64 * megabyte;

/**
 * Starts the mock server on 127.0.0.1. It is an independent, strict reading of the specification: its
 * answers are computed from the small web in `test/site` and from its own state.
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
	let url = '';
	const context = createContext(options, () => url);
	const app = createServer(context);
	await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
	const { port } = app.server.address() as AddressInfo;
	url = `http://127.0.0.1:${port}`;
	const uploadHost = await startUploadHost(context.uploads);
	context.uploads.origin = uploadHost.url;

	return {
		url,
		port,
		log: context.log,
		clock: context.clock,
		faults: context.faults,
		teams: context.teams,
		ledger: context.ledger,
		site: context.site,
		keys,
		context,
		reset: () => reset(context),
		connections: async () => await promisify(app.server.getConnections.bind(app.server))(),
		async close() {
			context.agents.clear();
			context.monitors.clear();
			context.pageJobs.clear();
			context.continuing.clear();
			context.sessions.clear();
			context.webhooks.close();
			context.clock.close();
			await uploadHost.close();
			app.server.closeAllConnections();
			await app.close();
		},
	};
}

function createContext(options: ServiceOptions, origin: () => string): Context {
	const { research = 'by date', keyless = false, nextHost, server } = options;
	const { authentication = server?.selfHosted !== true, mapLinks = 'objects' } = options;
	const caps = keyless === true ? { requestsPerDay: 50, creditsPerDay: 200 } : keyless || undefined;
	const switches = { authentication, research, keyless: caps, nextHost, mapLinks, server };
	const clock = new Clock();
	const site = loadSite(new Date(clock.now()), options.bulk);
	const files = new SignedFiles(clock, origin);
	const threats = new ThreatScanner();
	const jobs = new ScrapeJobs(clock);
	const unsupportedHosts = new Set<string>();
	const teams = new Teams();
	const ledger = new Ledger(clock);
	const context: Context = {
		options: switches,
		initial: { options: { ...switches }, bulk: { ...site.bulk } },
		clock,
		teams,
		ledger,
		limits: new Limits(clock),
		keyless: new Keyless(clock, () => switches.keyless),
		log: new RequestLog(),
		activity: new Activity(clock),
		feedback: new Feedback(clock, ledger),
		faults: new Faults(),
		site,
		search: new SearchIndex(site),
		scraper: new Scraper({ clock, site, files, threats, jobs, unsupportedHosts }),
		jobs,
		files,
		uploads: new Uploads(clock),
		sessions: new Sessions(clock, ledger),
		papers: new Papers(),
		developer: new DeveloperIndex(),
		government: new GovernmentIndex(),
		agents: new Agents(() => context, options.agent),
		pageJobs: new PageJobs(() => context, options.pages),
		continuing: new ContinuingScrapes(clock),
		webhooks: new Webhooks(clock, (teamId) => teams.get(teamId).webhookSecret),
		monitors: new Monitors(() => context),
		tools: new ToolCatalogue(),
		toolRuns: new ToolRuns(clock),
		threats,
		unsupportedHosts,
	};
	return context;
}

function createServer(context: Context): FastifyInstance {
	const app = fastify({
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
		try {
			done(null, body === '' ? undefined : JSON.parse(String(body)));
		} catch {
			const error = 'Bad Request: the body is not valid JSON';
			done(new ApiError(400, { code: 'BAD_REQUEST_INVALID_JSON', error }));
		}
	});
	app.addContentTypeParser(
		'multipart/form-data',
		{ parseAs: 'buffer', bodyLimit: formLimit },
		(request: FastifyRequest, body: Buffer) =>
			readMultipart(body, request.headers['content-type'] ?? ''),
	);
	app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
		const known = error instanceof ApiError ? error : bodyError(error);
		send(reply, context.log.entryOf(request), errorAnswer(known));
	});
	for (const endpoint of allEndpoints(context)) {
		app.route({ method: endpoint.method, url: endpoint.path, handler: handler(context, endpoint) });
	}
	const unknown = handler(context, {
		method: 'GET',
		path: '*',
		open({ headers, entry }) {
			const host = String(headers.host).replace(/:\d+$/, '');
			const known = context.site.pages.some((page) => page.host === host);
			if (known && entry.method === 'GET') return sitePage(context, `https://${host}${entry.path}`);
			return missingRoute(entry);
		},
	});
	app.setNotFoundHandler((request: FastifyRequest, reply) => unknown(request, reply));
	// The service lets every page of a browser ask it, for whatever route.
	app.options('*', async (_request, reply) => await reply.code(204).send());
	return app;
}

/** A body that fastify itself refused. */
function bodyError(error: FastifyError): unknown {
	if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
		return new ApiError(413, { error: 'Payload Too Large' });
	}
	if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
		const message = 'Content-Type must be application/json';
		return badRequest([{ code: 'custom', path: [], message }]);
	}
	return error;
}
