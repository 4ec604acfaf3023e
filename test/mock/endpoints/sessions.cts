import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { ApiError, forbidden, notFound } from '../errors.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { sessionCredits } from '../prices.cjs';
import { parseBody, parseQueryString } from '../schemas/body.cjs';
import { jobUuid } from '../schemas/fields.cjs';
import {
	executeRequest,
	type ExecuteRequest,
	interactRequest,
	type InteractRequest,
	sessionQuery,
	sessionRequest,
} from '../schemas/toolCalls.cjs';
import { execute, type Session } from '../sessions.cjs';

const replayLifetime = 3_600_000;

/** Browser sessions, `/browser` being the older name of `/interact`. */
export function sessionEndpoints(context: Context): ApiEndpoint[] {
	const access = { scope: 'browser', rate: 'interactExecute' } as const;
	return [
		...['/v2/interact' as const, '/v2/browser' as const].flatMap((base) =>
			endpoints(
				access,
				[`POST ${base}`, (call) => create(context, call), { rate: 'interact' }],
				[`GET ${base}`, (call) => list(context, call)],
				[`DELETE ${base}/:id`, (call) => remove(context, call)],
				[`POST ${base}/:id/execute`, (call) => run(context, call)],
			),
		),
		...endpoints(
			access,
			['POST /v2/scrape/:id/interact', (call) => interact(context, call)],
			['DELETE /v2/scrape/:id/interact', (call) => stop(context, call)],
		),
	];
}

function create(context: Context, { body, caller, entry }: ApiCall): Answer {
	const facts = parseBody(sessionRequest, body ?? {});
	requireCredits(context, caller, sessionCredits(0, false));
	const about = { teamId: caller.team.id, requestId: entry.id, endpoint: entry.path };
	const session = context.sessions.open({ ...facts, ...about, url: 'about:blank' });
	const expiresAt = new Date(session.expiresAt).toISOString();
	return { body: { success: true, id: session.id, ...links(session), expiresAt } };
}

function list(context: Context, { query, caller }: ApiCall): Answer {
	const { status: wanted } = parseQueryString(sessionQuery, query);
	const all = context.sessions.of(caller.team.id).map(view).reverse();
	const sessions = all.filter((session) => !wanted || session.status === wanted);
	return { body: { success: true, sessions } };
}

async function run(context: Context, call: ApiCall): Promise<Answer> {
	const request = parseBody(executeRequest, call.body);
	const session = context.sessions.findActive(call.caller.team.id, call.params.id);
	return { body: await executeIn(context, session, request, call) };
}

function remove(context: Context, call: ApiCall): Answer {
	return close(context, context.sessions.findActive(call.caller.team.id, call.params.id));
}

async function interact(context: Context, call: ApiCall): Promise<Answer> {
	const scrapeId = jobUuid(call.params.id);
	const { prompt, code, ...request } = parseBody(interactRequest, call.body);
	const session = sessionOf(context, scrapeId, request, call);
	const where = { sessionId: session.id, ...links(session) };
	if (code !== undefined) {
		const executed = await executeIn(context, session, { ...request, code }, call);
		return { body: { ...executed, ...where } };
	}
	requireCredits(context, call.caller, sessionCredits(0, true));
	session.prompted = true;
	session.lastActivity = context.clock.now();
	await call.stall?.();
	const output = `${session.url} was read: ${prompt}`;
	const quiet = { stdout: '', result: '', stderr: '', exitCode: 0, killed: false };
	return { body: { success: true, ...where, output, ...quiet } };
}

function stop(context: Context, call: ApiCall): Answer {
	const session = context.sessions.ofScrape(jobUuid(call.params.id));
	if (session && session.facts.teamId !== call.caller.team.id) throw forbidden();
	if (!session?.active) throw notFound('Browser session not found.');
	return close(context, session);
}

/** The session on a scraped page: the one named, the one open on it, or a new one. */
function sessionOf(
	context: Context,
	scrapeId: string,
	{ ttl, activityTtl, existingSessionId }: Omit<InteractRequest, 'code' | 'prompt'>,
	{ caller, entry }: ApiCall,
): Session {
	const { sessions, jobs, clock } = context;
	const { team } = caller;
	const job = jobs.get(scrapeId);
	if (!job) throw notFound('Job not found.');
	if (job.teamId !== team.id) throw forbidden();
	const before = existingSessionId ?? sessions.ofScrape(scrapeId)?.id;
	if (before !== undefined) return sessions.findActive(team.id, before);
	if (!job.url || clock.now() >= job.at + replayLifetime) {
		throw new ApiError(409, {
			error: 'Replay context is unavailable for this scrape job. Please rerun the scrape.',
		});
	}
	requireCredits(context, caller, sessionCredits(0, false));
	return sessions.open({
		...{ teamId: team.id, requestId: entry.id, endpoint: entry.path, ttl, activityTtl, scrapeId },
		...{ streamWebView: true, url: job.url },
	});
}

async function executeIn(
	{ clock }: Context,
	session: Session,
	request: ExecuteRequest,
	{ stall }: ApiCall,
) {
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

const close = ({ sessions }: Context, session: Session): Answer => ({
	body: { success: true, ...sessions.close(session) },
});

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
	const live = `https://browser.example/live/${id}`;
	return {
		cdpUrl: `wss://browser.example/cdp/${id}`,
		liveViewUrl: live,
		interactiveLiveViewUrl: `${live}?interactive=true`,
	};
}
