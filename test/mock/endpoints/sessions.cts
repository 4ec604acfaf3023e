import { z } from 'zod/v4';

import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { ApiError, forbidden, notFound } from '../errors.cjs';
import { type Course, Job, type JobFacts, Jobs } from '../jobs.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { sessionCredits } from '../prices.cjs';
import {
	jobUuid,
	optional,
	parseBody,
	profile,
	refuse,
	stamps,
	strict,
	whole,
} from '../schemas/fields.cjs';

/** Times that a session lasts, in seconds. */
const lifetimes = {
	/** The server source's default; the older documentation says 300. */
	ttl: whole(30, 3600).default(600),
	activityTtl: whole(10, 3600).default(300),
};

const code = z
	.string()
	.min(1)
	.refine((text) => Buffer.byteLength(text) <= 100_000, 'At most 100 000 bytes');

const execution = {
	language: z.enum(['python', 'node', 'bash']).default('node'),
	timeout: whole(1, 300).default(30),
	origin: stamps.origin,
};

/** Body of `POST /interact`. */
const sessionRequest = strict({
	...lifetimes,
	streamWebView: z.boolean().default(true),
	recordSession: z.boolean().default(true),
	profile: profile.optional(),
	...stamps,
});

const sessionQuery = optional({ status: z.enum(['active', 'destroyed', 'error']) });

const executeRequest = strict({ code, ...execution });
type ExecuteRequest = z.output<typeof executeRequest>;

/** Body of `POST /scrape/{jobId}/interact`: code, or a prompt; with both the code wins. */
const interactRequest = strict({
	...execution,
	...lifetimes,
	code: code.optional(),
	prompt: z.string().min(1).max(10_000).optional(),
	existingSessionId: z.uuid().optional(),
	integration: stamps.integration,
}).superRefine(({ code: given, prompt }, check) => {
	if ((given ?? prompt) === undefined) refuse(check, 'Either code or prompt is required', 'code');
});
type InteractRequest = z.output<typeof interactRequest>;

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
	const about = { team: caller.team, requestId: entry.id, endpoint: entry.path };
	const session = context.sessions.open({ ...facts, ...about });
	const expiresAt = new Date(session.endsAt).toISOString();
	return { body: { success: true, id: session.id, ...links(session), expiresAt } };
}

function list(context: Context, { query, caller }: ApiCall): Answer {
	const { status: wanted } = parseBody(sessionQuery, query);
	const all = context.sessions.of(caller.team.id).map(view).reverse();
	const sessions = all.filter((session) => !wanted || session.status === wanted);
	return { body: { success: true, sessions } };
}

async function run(context: Context, call: ApiCall): Promise<Answer> {
	const request = parseBody(executeRequest, call.body);
	const session = context.sessions.findActive(call.caller.team.id, call.params.id);
	return { body: await execute(context, session, request) };
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
		const executed = await execute(context, session, { ...request, code });
		return { body: { ...executed, ...where } };
	}
	requireCredits(context, call.caller, sessionCredits(0, true));
	session.prompted = true;
	session.lastActivity = context.clock.now();
	const output = `${session.url} was read: ${prompt}`;
	const quiet = { stdout: '', result: '', stderr: '', exitCode: 0, killed: false };
	return { body: { success: true, ...where, output, ...quiet } };
}

function stop(context: Context, call: ApiCall): Answer {
	const session = context.sessions.ofScrape(jobUuid(call.params.id));
	if (session && session.about.team.id !== call.caller.team.id) throw forbidden();
	if (!session || session.finished) throw notFound('Browser session not found.');
	return close(context, session);
}

/** The session on a scraped page: the one named, the one open on it, or a new one. */
function sessionOf(
	context: Context,
	scrapeId: string,
	{ ttl, activityTtl, existingSessionId }: Omit<InteractRequest, 'code' | 'prompt'>,
	{ caller, entry }: ApiCall,
): Session {
	const { sessions, scrapes, clock } = context;
	const { team } = caller;
	const job = scrapes.get(scrapeId);
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
	const session = sessions.open({
		...{ team, requestId: entry.id, endpoint: entry.path },
		...{ ttl, activityTtl, scrapeId, streamWebView: true },
	});
	session.url = job.url;
	return session;
}

/** Runs code in a session; what it did is seen when its time is over. Code that fails, or takes too long, is an outcome, no exception. */
async function execute({ clock }: Context, session: Session, { code, timeout }: ExecuteRequest) {
	session.running++;
	session.lastActivity = clock.now();
	const ran = runCode(code, session.url);
	const isOver = await clock.wait(Math.min(ran.ms, timeout * 1000), session.stopped).then(
		() => ran.ms <= timeout * 1000,
		() => false,
	);
	session.running--;
	session.lastActivity = clock.now();
	const { url, stdout, stderr, exitCode } = isOver ? ran : { ...ran, ...stoppedCode };
	session.url = url;
	const success = exitCode === 0;
	const error = stderr.trim().split('\n').at(-1) || `Exit code ${exitCode}`;
	return {
		...{ success, stdout, result: stdout, stderr, exitCode, killed: !isOver },
		...(!success && { error }),
	};
}

const stoppedCode = {
	stderr: 'The execution was stopped: its time was up or its session over\n',
	exitCode: 137,
};

/** What code comes to that begins on a page, a statement per line, and how long it takes. */
function runCode(code: string, page: string) {
	const run = { url: page, stdout: '', stderr: '', ms: 0, exitCode: 0 };
	for (const line of code.split(/[\n;]/)) {
		const statement = line.trim();
		const [, name = '', given = ''] =
			/^(?:await )?([\w.]+)[ (]["']?(.*?)["']?\)?$/.exec(statement) ?? [];
		if (name === 'exit') return { ...run, exitCode: Number(given) };
		if (name === 'sleep') run.ms += Number(given) * 1000;
		else if (name === 'page.waitForTimeout') run.ms += Number(given);
		else if (name === 'page.goto') run.url = given;
		else if (given === 'page.url()') run.stdout += `${run.url}\n`;
		else if (['print', 'console.log', 'echo'].includes(name)) run.stdout += `${given}\n`;
		else if (/[a-z]/i.test(statement)) {
			run.stderr += `bash: ${statement}: command not found\n`;
			run.exitCode = 127;
		}
	}
	return run;
}

const close = ({ sessions }: Context, session: Session): Answer => ({
	body: { success: true, ...sessions.close(session) },
});

function view(session: Session) {
	const { id, finished, about, startedAt, lastActivity } = session;
	return {
		id,
		status: finished ? 'destroyed' : 'active',
		...links(session),
		streamWebView: about.streamWebView,
		createdAt: new Date(startedAt).toISOString(),
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

/** What a session is opened with; times in seconds. */
interface SessionFacts extends JobFacts {
	requestId: string;
	endpoint: string;
	ttl: number;
	activityTtl: number;
	streamWebView: boolean;
	scrapeId?: string;
}

/** One browser session; it lives until it is closed, too old or idle for too long. */
class Session extends Job<SessionFacts> {
	/** The address of its one tab. */
	url = 'about:blank';
	lastActivity = this.startedAt;
	/** Whether a prompt was run in it: then every minute has the price of prompts. */
	prompted = false;
	/** Runs under way: while there are any the session is not idle. */
	running = 0;

	get endsAt(): number {
		return this.startedAt + this.about.ttl * 1000;
	}

	/** When it ends by itself unless something happens from `now` on. */
	dueAt(now: number): number {
		const busyUntil = this.running > 0 ? now : this.lastActivity;
		return Math.min(this.endsAt, busyUntil + this.about.activityTtl * 1000);
	}
}

/** Every browser session, and what ends the forgotten ones along the service's clock. */
export class Sessions extends Jobs<Session, Course> {
	constructor(context: Context) {
		super(context, {});
	}

	open(facts: SessionFacts): Session {
		const session = new Session(facts, this.course, this.now);
		this.jobs.push(session);
		void this.watch(session);
		return session;
	}

	/** The team's sessions of the last day, oldest first. */
	of(teamId: string): Session[] {
		return this.jobs.filter(
			({ about, expiresAt }) => about.team.id === teamId && this.now < expiresAt,
		);
	}

	ofScrape(scrapeId: string): Session | undefined {
		return this.jobs.findLast(({ about }) => about.scrapeId === scrapeId);
	}

	/** Throws 404 for an unknown session, 403 for another team's, and 410 for one that has ended. */
	findActive(teamId: string, id: string): Session {
		const found = this.find(id);
		if (!found || found === 'expired') throw notFound('Browser session not found.');
		if (found.about.team.id !== teamId) throw forbidden();
		if (found.finished) throw new ApiError(410, { error: 'Browser session has been destroyed.' });
		return found;
	}

	/** Ends a session, says what it costs, and charges it to the request that opened it. */
	close(session: Session) {
		session.finishedAt = this.now;
		session.stop();
		const { team, requestId, endpoint } = session.about;
		const sessionDurationMs = session.finishedAt - session.startedAt;
		const credits = sessionCredits(sessionDurationMs, session.prompted);
		const charge = { teamId: team.id, requestId, jobId: session.id, endpoint, credits };
		this.context.ledger.charge(charge);
		return { sessionDurationMs, creditsBilled: credits };
	}

	/** Ends a session that nobody closed. */
	private async watch(session: Session): Promise<void> {
		const { stopped } = session;
		while (!stopped.aborted) {
			const left = session.dueAt(this.now) - this.now;
			if (left <= 0) this.close(session);
			else await this.context.clock.wait(left, stopped).catch(() => undefined);
		}
	}
}
