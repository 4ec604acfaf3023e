import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { ApiError, forbidden, notFound } from '../errors.cjs';
import { endpoints, type Answer, type ApiCall, type ApiEndpoint } from '../pipeline.cjs';
import { parseBody } from '../schemas/body.cjs';
import { pathUuid } from '../schemas/fields.cjs';
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
import {
	sessionCredits,
	type Closing,
	type Session,
	type SessionFacts,
} from '../sessions/session.cjs';

/** The server source's default; the older documentation says 300. Seconds. */
const defaultTtl = 600;
const defaultActivityTtl = 300;
/** How long the page of a scrape can be opened again, in milliseconds. */
const replayLifetime = 3_600_000;

/** Browser sessions, `/browser` being the older name of `/interact`. */
export function sessionEndpoints(context: Context): ApiEndpoint[] {
	const within =
		(handle: (context: Context, call: ApiCall) => Answer | Promise<Answer>) => (call: ApiCall) => {
			requireBrowsers(context, call);
			return handle(context, call);
		};
	const keyless = { keyless: true };
	const recording = { rate: 'interactReplay' } as const;
	return (['/v2/interact', '/v2/browser'] as const).flatMap((base) =>
		endpoints(
			{ scope: 'browser', rate: 'interactExecute' },
			[`POST ${base}`, within(create), { rate: 'interact' }],
			[`GET ${base}`, within(list)],
			[`GET ${base}/:id`, within(status)],
			[`DELETE ${base}/:id`, within(remove)],
			[`POST ${base}/:id/execute`, within(run)],
			[`GET ${base}/:id/replay`, (call) => replay(context, call), recording],
			[`GET ${base}/:id/replay/:pageId`, (call) => playlist(context, call), recording],
			[`DELETE ${base}/profiles/:name`, within(deleteProfile)],
			...(base === '/v2/interact'
				? ([
						['POST /v2/scrape/:id/interact', within(interact), keyless],
						['DELETE /v2/scrape/:id/interact', within(stop), keyless],
					] as const)
				: []),
		),
	);
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
	const about = { requestId: entry.id, endpoint: entry.path, ttl, activityTtl };
	const shown = { streamWebView, recordSession, profile: profileOf(profile) };
	const session = context.sessions.open(caller.team, { ...about, ...shown });
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
function recordingOf(context: Context, { caller, params }: ApiCall): Session & { endedAt: number } {
	if (!context.options.authentication) {
		throw new ApiError(503, { error: 'Browser feature is not configured.' });
	}
	const session = context.sessions.find(caller.team.id, params.id);
	const { endedAt, facts } = session;
	if (!facts.recordSession || endedAt === undefined) throw notFound('Replay not found.');
	return Object.assign(session, { endedAt });
}

/** The browser has one tab. */
const onlyTab = '0';

/** The recorded tabs, their times counted from the session's start. */
function replay(context: Context, call: ApiCall): Answer {
	const { id, url: pageUrl, endedAt, createdAt } = recordingOf(context, call);
	const url = `/v2/interact/${id}/replay/${onlyTab}`;
	const times = { startTimeMs: 0, endTimeMs: endedAt - createdAt };
	return {
		body: { success: true, pages: [{ pageId: onlyTab, url, pageUrl, ...times }], pageCount: 1 },
	};
}

/** A tab's video as an HLS playlist, which is text. Nothing listens where its piece lies. */
function playlist(context: Context, call: ApiCall): Answer {
	const { pageId } = call.params;
	if (!/^\d{1,3}$/.test(pageId)) throw new ApiError(400, { error: 'Invalid pageId.' });
	const { id, endedAt, createdAt } = recordingOf(context, call);
	if (pageId !== onlyTab) throw notFound('Replay not found.');
	const seconds = ((endedAt - createdAt) / 1000).toFixed(3);
	const piece = `https://recordings.example/${id}/${pageId}/0.m4s?signature=0`;
	const lines = ['#EXTM3U', '#EXT-X-VERSION:7', `#EXTINF:${seconds},`, piece, '#EXT-X-ENDLIST', ''];
	const headers = { 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-store' };
	return { headers, body: lines.join('\n') };
}

function deleteProfile({ sessions }: Context, { caller, params }: ApiCall): Answer {
	sessions.mayDelete(caller.team.id, params.name);
	return { body: { success: true } };
}

async function interact(context: Context, call: ApiCall): Promise<Answer> {
	const scrapeId = pathUuid(call.params.id);
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
	const output = `${session.url} was read: ${prompt}`;
	const quiet = { stdout: '', result: '', stderr: '', exitCode: 0, killed: false };
	return { body: { success: true, ...where, output, ...quiet } };
}

function stop(context: Context, call: ApiCall): Answer {
	const scrapeId = pathUuid(call.params.id);
	const session = context.sessions.ofScrape(scrapeId);
	if (session && session.facts.teamId !== call.caller.team.id) throw forbidden();
	if (!session?.active) throw notFound('Browser session not found.');
	return { body: { success: true, ...close(context, session, call) } };
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
	const about = { requestId: entry.id, endpoint: entry.path, ttl, activityTtl, scrapeId };
	const profile = profileOf(replay.options.profile);
	const shown = { streamWebView: true, recordSession: true, profile };
	const session = sessions.open(caller.team, { ...about, ...shown });
	session.url = replay.url;
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
		return await execute(clock, session, request);
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

/** A profile is saved unless the request says otherwise. */
const profileOf = (
	profile: { name: string; saveChanges?: boolean } | undefined,
): SessionFacts['profile'] => profile && { saveChanges: true, ...profile };

function view(session: Session) {
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

/** Where a session can be watched and steered. Nothing listens there. */
function links({ id }: Session) {
	const host = 'browser.example';
	return {
		cdpUrl: `wss://${host}/cdp/${id}`,
		liveViewUrl: `https://${host}/live/${id}`,
		interactiveLiveViewUrl: `https://${host}/live/${id}?interactive=true`,
	};
}
