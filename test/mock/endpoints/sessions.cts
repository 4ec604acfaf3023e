import { z } from 'zod/v4';

import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { ApiError, notFound } from '../errors.cjs';
import { type Course, Job, type JobFacts, Jobs } from '../jobs.cjs';
import type { Answer, ApiCall, Endpoints } from '../pipeline.cjs';
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

/** Browser sessions, `/browser` being the older name of `/interact`. */
export function sessionEndpoints(context: Context): Endpoints {
	const at = (base: `/v2/${string}`): Endpoints => ({
		[`POST ${base}`]: (call) => create(context, call),
		[`GET ${base}`]: (call) => list(context, call),
		[`DELETE ${base}/:id`]: (call) => remove(context, call),
		[`POST ${base}/:id/execute`]: (call) => run(context, call),
	});
	return {
		...at('/v2/interact'),
		...at('/v2/browser'),
		'POST /v2/scrape/:id/interact': (call) => interact(context, call),
		'DELETE /v2/scrape/:id/interact': (call) => stop(context, call),
	};
}

function create(context: Context, { body, team, entry }: ApiCall): Answer {
	const facts = parseBody(sessionRequest, body ?? {});
	requireCredits(context, team, sessionCredits(0, false));
	const about = { team, requestId: entry.id, endpoint: entry.path };
	const session = context.sessions.open({ ...facts, ...about });
	const expiresAt = new Date(session.startedAt + facts.ttl * 1000).toISOString();
	return { body: { success: true, id: session.id, ...links(session), expiresAt } };
}

/** The team's sessions, newest first. */
function list({ sessions }: Context, { query, team }: ApiCall): Answer {
	const { status: wanted } = parseBody(sessionQuery, query);
	const own = sessions.jobs.filter(({ about }) => about.team.id === team.id).reverse();
	const views = own.map(view).filter(({ status }) => !wanted || status === wanted);
	return { body: { success: true, sessions: views } };
}

function run({ sessions }: Context, { body, params, team }: ApiCall): Answer {
	const { code: given } = parseBody(executeRequest, body);
	return { body: execute(sessions.findActive(team.id, params.id), given) };
}

function remove({ sessions }: Context, { params, team }: ApiCall): Answer {
	const session = sessions.findActive(team.id, params.id);
	return { body: { success: true, ...sessions.close(session) } };
}

function interact(context: Context, call: ApiCall): Answer {
	const scrapeId = jobUuid(call.params.id);
	const { prompt, code: given, existingSessionId } = parseBody(interactRequest, call.body);
	requireCredits(context, call.team, sessionCredits(0, given === undefined));
	const session = sessionOf(context, scrapeId, existingSessionId, call);
	const where = { sessionId: session.id, ...links(session) };
	if (given !== undefined) return { body: { ...execute(session, given), ...where } };
	session.prompted = true;
	const output = `${session.url} was read: ${prompt}`;
	return { body: { success: true, ...where, output, ...ran('') } };
}

function stop({ sessions }: Context, { params, team }: ApiCall): Answer {
	const session = sessions.ofScrape(jobUuid(params.id));
	const isOpen = session?.about.team.id === team.id && !session.finished;
	if (!isOpen) throw notFound('Browser session not found.');
	return { body: { success: true, ...sessions.close(session) } };
}

/** The session on a scraped page: the one named, the one opened on it before, or a new one. */
function sessionOf(
	{ sessions, scrapes }: Context,
	scrapeId: string,
	existingSessionId: string | undefined,
	{ team, entry }: ApiCall,
): Session {
	const scrape = scrapes.get(scrapeId);
	if (scrape?.teamId !== team.id) throw notFound('Job not found.');
	const before = existingSessionId ?? sessions.ofScrape(scrapeId)?.id;
	if (before !== undefined) return sessions.findActive(team.id, before);
	const session = sessions.open({
		...{ team, requestId: entry.id, endpoint: entry.path },
		...{ scrapeId, streamWebView: true },
	});
	session.url = scrape.url ?? session.url;
	return session;
}

/** Runs code, a statement per line: where it goes and what it writes. How code fails, or takes its time, tests say by faults. */
function execute(session: Session, given: string) {
	let stdout = '';
	for (const line of given.split(/[\n;]/)) {
		const [, name = '', value = ''] =
			/^(?:await )?([\w.]+)[ (]["']?(.*?)["']?\)?$/.exec(line.trim()) ?? [];
		if (name === 'page.goto') session.url = value;
		else if (value === 'page.url()') stdout += `${session.url}\n`;
		else if (['print', 'console.log', 'echo'].includes(name)) stdout += `${value}\n`;
	}
	return { success: true, ...ran(stdout) };
}

/** What code that went well came to. */
const ran = (stdout: string) => {
	return { stdout, result: stdout, stderr: '', exitCode: 0, killed: false };
};

function view(session: Session) {
	const { id, finished, about, startedAt } = session;
	const createdAt = new Date(startedAt).toISOString();
	return {
		id,
		status: finished ? 'destroyed' : 'active',
		...links(session),
		streamWebView: about.streamWebView,
		...{ createdAt, lastActivity: createdAt },
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

/** What a session is opened with. */
interface SessionFacts extends JobFacts {
	requestId: string;
	endpoint: string;
	streamWebView: boolean;
	scrapeId?: string;
	profile?: z.output<typeof profile>;
}

/** One browser session; it lives until it is closed, for here nobody forgets one. */
class Session extends Job<SessionFacts> {
	/** The address of its one tab. */
	url = 'about:blank';
	/** Whether a prompt was run in it: then every minute has the price of prompts. */
	prompted = false;
}

/** Every browser session. */
export class Sessions extends Jobs<Session, Course> {
	constructor(context: Context) {
		super(context, {});
	}

	open(facts: SessionFacts): Session {
		const session = new Session(facts, this.course, this.now);
		this.jobs.push(session);
		return session;
	}

	/** Whether a session of a team that has ended has saved this profile. */
	hasSaved(teamId: string, name: string): boolean {
		return this.jobs.some(
			({ finished, about: { team, profile: saved } }) =>
				finished && team.id === teamId && saved?.name === name && saved.saveChanges !== false,
		);
	}

	ofScrape(scrapeId: string): Session | undefined {
		return this.jobs.findLast(({ about }) => about.scrapeId === scrapeId);
	}

	/** A team's session. Throws 404 for an unknown one, and 410 for one that has ended. */
	findActive(teamId: string, id: string): Session {
		const found = this.find(id);
		if (found?.about.team.id !== teamId) throw notFound('Browser session not found.');
		if (found.finished) throw new ApiError(410, { error: 'Browser session has been destroyed.' });
		return found;
	}

	/** Ends a session, says what it costs, and charges it to the request that opened it. */
	close(session: Session) {
		session.finishedAt = this.now;
		const { team, requestId, endpoint } = session.about;
		const sessionDurationMs = session.finishedAt - session.startedAt;
		const credits = sessionCredits(sessionDurationMs, session.prompted);
		const charge = { teamId: team.id, requestId, jobId: session.id, endpoint, credits };
		this.context.ledger.charge(charge);
		return { sessionDurationMs, creditsBilled: credits };
	}
}
