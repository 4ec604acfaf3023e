import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { ApiError, badRequest, forbidden, notFound } from '../errors.cjs';
import type { Answer, ApiCall, ApiEndpoint } from '../pipeline.cjs';
import { parseBody } from '../schemas/body.cjs';
import { isUuid } from '../schemas/fields.cjs';
import { parseQueryString } from '../schemas/query.cjs';
import {
	executeRequest,
	interactRequest,
	sessionQuery,
	sessionRequest,
	type ExecuteRequest,
	type InteractRequest,
} from '../schemas/sessions.cjs';
import { execute, type Execution } from '../sessions/execution.cjs';
import { sessionCredits, type Closing, type Session } from '../sessions/session.cjs';
import { performTask } from '../sessions/task.cjs';

/** The server source's default; the older documentation says 300. Seconds. */
const defaultTtl = 600;
const defaultActivityTtl = 300;
/** How long the page of a scrape can be opened again, in milliseconds. */
const replayLifetime = 3_600_000;

/** Browser sessions, `/browser` being the older name of `/interact`. */
export function sessionEndpoints(context: Context): ApiEndpoint[] {
	const endpoint = (
		method: ApiEndpoint['method'],
		path: string,
		rate: 'interact' | 'interactExecute',
		handle: (call: ApiCall) => Answer | Promise<Answer>,
	): ApiEndpoint => ({
		method,
		path,
		scope: 'browser',
		rate,
		handle(call) {
			requireBrowsers(context, call);
			return handle(call);
		},
	});
	const recording = (path: string, handle: (call: ApiCall) => Answer): ApiEndpoint => ({
		method: 'GET',
		path,
		scope: 'browser',
		rate: 'interactReplay',
		handle,
	});
	const scraped = '/v2/scrape/:id/interact';
	return [
		...['/v2/interact', '/v2/browser'].flatMap((base) => [
			endpoint('POST', base, 'interact', (call) => create(context, call)),
			endpoint('GET', base, 'interactExecute', (call) => list(context, call)),
			endpoint('GET', `${base}/:id`, 'interactExecute', (call) => status(context, call)),
			endpoint('DELETE', `${base}/:id`, 'interactExecute', (call) => remove(context, call)),
			endpoint('POST', `${base}/:id/execute`, 'interactExecute', (call) => run(context, call)),
			recording(`${base}/:id/replay`, (call) => replay(context, call)),
			recording(`${base}/:id/replay/:pageId`, (call) => playlist(context, call)),
			endpoint('DELETE', `${base}/profiles/:name`, 'interactExecute', (call) =>
				deleteProfile(context, call),
			),
		]),
		{
			...endpoint('POST', scraped, 'interactExecute', (call) => interact(context, call)),
			keyless: true,
		},
		{
			...endpoint('DELETE', scraped, 'interactExecute', (call) => stop(context, call)),
			keyless: true,
		},
	];
}

/** Throws 501 on a self-hosted server and the 403 of a team in safe mode. */
function requireBrowsers({ options }: Context, { caller }: ApiCall): void {
	if (!options.authentication) {
		throw new ApiError(501, { error: 'Browser sessions are not supported when self-hosted.' });
	}
	if (caller.team.safeMode) {
		throw forbidden('Browser sessions are blocked by safe mode.', 'SAFE_MODE_BLOCKED');
	}
}

function create(context: Context, { body, caller, entry }: ApiCall): Answer {
	const {
		ttl = defaultTtl,
		activityTtl = defaultActivityTtl,
		streamWebView,
		recordSession,
		profile,
	} = parseBody(sessionRequest, body ?? {});
	requireCredits(context, caller, sessionCredits.code);
	const session = context.sessions.open(caller.team, {
		requestId: entry.id,
		endpoint: entry.path,
		ttl,
		activityTtl,
		streamWebView,
		recordSession,
		...(profile && { profile: { name: profile.name, saveChanges: profile.saveChanges ?? true } }),
	});
	const expiresAt = new Date(session.expiresAt).toISOString();
	return { body: { success: true, id: session.id, ...links(session), expiresAt } };
}

function list(context: Context, { query, caller }: ApiCall): Answer {
	const { status: wanted } = parseQueryString(sessionQuery, query);
	const sessions = context.sessions
		.of(caller.team.id)
		.map((session) => view(session))
		.filter((session) => !wanted || session.status === wanted)
		.reverse();
	return { body: { success: true, sessions } };
}

function status(context: Context, { params, caller }: ApiCall): Answer {
	const session = context.sessions.find(caller.team.id, params.id);
	return { body: { success: true, ...view(session) } };
}

async function run(context: Context, call: ApiCall): Promise<Answer> {
	const request = parseBody(executeRequest, call.body);
	const session = context.sessions.find(call.caller.team.id, call.params.id);
	context.sessions.requireActive(session);
	return { body: await executeIn(context, session, request, call) };
}

function remove(context: Context, call: ApiCall): Answer {
	const session = context.sessions.find(call.caller.team.id, call.params.id);
	context.sessions.requireActive(session);
	return { body: { success: true, ...close(context, session, call) } };
}

/** The session of a recording; 503 on a self-hosted server, 404 as long as there is none to see. */
function recordingOf(context: Context, { caller, params }: ApiCall): Recording {
	if (!context.options.authentication) {
		throw new ApiError(503, { error: 'Browser feature is not configured.' });
	}
	const session = context.sessions.find(caller.team.id, params.id);
	const { endedAt, createdAt, facts, browser } = session;
	if (!facts.recordSession || endedAt === undefined) throw notFound('Replay not found.');
	return {
		id: session.id,
		pageUrl: browser.firstUrl ?? 'about:blank',
		durationMs: endedAt - createdAt,
	};
}

/** What a session has shown: the browser has one tab. */
interface Recording {
	id: string;
	pageUrl: string;
	durationMs: number;
}

const onlyTab = '0';

/** The recorded tabs, their times counted from the session's start. */
function replay(context: Context, call: ApiCall): Answer {
	const { id, pageUrl, durationMs } = recordingOf(context, call);
	const url = `/v2/interact/${id}/replay/${onlyTab}`;
	const pages = [{ pageId: onlyTab, url, pageUrl, startTimeMs: 0, endTimeMs: durationMs }];
	return { body: { success: true, pages, pageCount: pages.length } };
}

/** Longest piece of a video, in milliseconds. */
const pieceMs = 6_000;

/** A tab's video as an HLS playlist, which is text. Nothing listens where its pieces lie. */
function playlist(context: Context, call: ApiCall): Answer {
	const { pageId } = call.params;
	if (!/^\d{1,3}$/.test(pageId)) throw new ApiError(400, { error: 'Invalid pageId.' });
	const { id, durationMs } = recordingOf(context, call);
	if (pageId !== onlyTab) throw notFound('Replay not found.');
	const pieces = Array.from(
		{ length: Math.max(1, Math.ceil(durationMs / pieceMs)) },
		(_, index) => [
			`#EXTINF:${(Math.min(pieceMs, durationMs - index * pieceMs) / 1000).toFixed(3)},`,
			`https://recordings.example/${id}/${pageId}/${index}.m4s?signature=${index}`,
		],
	);
	const head = [
		'#EXTM3U',
		'#EXT-X-VERSION:7',
		'#EXT-X-TARGETDURATION:6',
		'#EXT-X-PLAYLIST-TYPE:VOD',
	];
	const lines = [...head, ...pieces.flat(), '#EXT-X-ENDLIST', ''];
	const headers = {
		'content-type': 'application/vnd.apple.mpegurl',
		'cache-control': 'no-store',
	};
	return { headers, body: lines.join('\n') };
}

function deleteProfile({ sessions }: Context, { caller, params }: ApiCall): Answer {
	sessions.deleteProfile(caller.team.id, params.name);
	return { body: { success: true } };
}

async function interact(context: Context, call: ApiCall): Promise<Answer> {
	const scrapeId = scrapeIdOf(call);
	const { prompt, code, ...request } = parseBody(interactRequest, call.body);
	const session = await sessionOf(context, scrapeId, request, call);
	const where = { sessionId: session.id, ...links(session) };
	if (code !== undefined) {
		const executed = await executeIn(context, session, { ...request, code }, call);
		return { body: { ...executed, ...where } };
	}
	requireCredits(context, call.caller, sessionCredits.prompt);
	session.prompted = true;
	session.lastActivity = context.clock.now();
	await call.stall?.();
	const output = performTask(session.browser, prompt ?? '');
	const quiet = { stdout: '', result: '', stderr: '', exitCode: 0, killed: false };
	return { body: { success: true, ...where, output, ...quiet } };
}

function stop(context: Context, call: ApiCall): Answer {
	const scrapeId = scrapeIdOf(call);
	const session = context.sessions.ofScrape(scrapeId);
	if (session && session.facts.teamId !== call.caller.team.id) throw forbidden();
	if (!session?.active) throw notFound('Browser session not found.');
	return { body: { success: true, ...close(context, session, call) } };
}

function scrapeIdOf({ params }: ApiCall): string {
	if (isUuid(params.id)) return params.id.toLowerCase();
	throw badRequest(
		[{ code: 'invalid_string', path: ['jobId'], message: 'Invalid uuid' }],
		'Invalid job ID format. Job ID must be a valid UUID.',
	);
}

/** The session on a scraped page: the one named, the one open on it, or a new one. */
async function sessionOf(
	context: Context,
	scrapeId: string,
	request: Omit<InteractRequest, 'code' | 'prompt'>,
	{ caller, entry }: ApiCall,
): Promise<Session> {
	const { sessions, jobs, clock } = context;
	const { ttl = defaultTtl, activityTtl = defaultActivityTtl, existingSessionId } = request;
	const job = jobs.get(scrapeId);
	if (!job) throw notFound('Job not found.');
	if (job.teamId !== caller.team.id) throw forbidden();
	const before = existingSessionId
		? sessions.find(caller.team.id, existingSessionId)
		: sessions.ofScrape(scrapeId);
	if (before) {
		sessions.requireActive(before);
		return before;
	}
	const { replay } = job;
	if (!replay || clock.now() >= job.at + replayLifetime) {
		throw new ApiError(409, {
			error: 'Replay context is unavailable for this scrape job. Please rerun the scrape.',
		});
	}
	requireCredits(context, caller, sessionCredits.code);
	const { profile } = replay.options;
	const session = sessions.open(caller.team, {
		requestId: entry.id,
		endpoint: entry.path,
		ttl,
		activityTtl,
		streamWebView: true,
		recordSession: true,
		scrapeId,
		...(profile && { profile: { name: profile.name, saveChanges: profile.saveChanges ?? true } }),
	});
	await session.browser.replay(replay.url, replay.options);
	return session;
}

async function executeIn(
	{ clock }: Context,
	session: Session,
	request: ExecuteRequest,
	{ stall }: ApiCall,
): Promise<Execution> {
	session.running++;
	session.lastActivity = clock.now();
	try {
		await stall?.();
		return await execute(clock, session.browser, request);
	} finally {
		session.running--;
		session.lastActivity = clock.now();
	}
}

function close({ sessions }: Context, session: Session, { charge }: ApiCall): Closing {
	const closing = sessions.close(session);
	charge(closing.creditsBilled, session.id);
	return closing;
}

interface SessionView extends Links {
	id: string;
	status: 'active' | 'destroyed';
	streamWebView: boolean;
	createdAt: string;
	lastActivity: string;
}

function view(session: Session): SessionView {
	const { id, active, facts, createdAt, lastActivity } = session;
	return {
		id,
		status: active ? 'active' : 'destroyed',
		...links(session),
		streamWebView: facts.streamWebView,
		createdAt: new Date(createdAt).toISOString(),
		lastActivity: new Date(lastActivity).toISOString(),
	};
}

interface Links {
	cdpUrl: string;
	liveViewUrl: string;
	interactiveLiveViewUrl: string;
}

/** Where a session can be watched and steered. Nothing listens there. */
function links({ id }: Session): Links {
	const host = 'browser.example';
	return {
		cdpUrl: `wss://${host}/cdp/${id}`,
		liveViewUrl: `https://${host}/live/${id}`,
		interactiveLiveViewUrl: `https://${host}/live/${id}?interactive=true`,
	};
}
