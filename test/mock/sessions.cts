import { randomUUID } from 'node:crypto';

import { type Clock, withTimeout } from './clock.cjs';
import { ApiError, forbidden, notFound } from './errors.cjs';
import { sessionCredits } from './prices.cjs';
import type { Ledger } from './requestLog.cjs';
import { pageUrl } from './schemas/fields.cjs';
import type { ExecuteRequest } from './schemas/toolCalls.cjs';

const day = 86_400_000;

/** What a session is opened with; times in seconds. */
interface SessionFacts {
	teamId: string;
	requestId: string;
	endpoint: string;
	ttl: number;
	activityTtl: number;
	streamWebView: boolean;
	scrapeId?: string;
	/** The address of its one tab. */
	url: string;
}

/** One browser session; it lives until it is closed, too old or idle for too long. */
export class Session {
	readonly id = randomUUID();
	url: string;
	lastActivity: number;
	endedAt: number | undefined;
	/** Whether a prompt was run in it: then every minute has the price of prompts. */
	prompted = false;
	/** Runs under way: while there are any the session is not idle. */
	running = 0;
	/** Ends everything that runs in it. */
	readonly end = new AbortController();

	constructor(
		readonly facts: SessionFacts,
		readonly createdAt: number,
	) {
		this.lastActivity = createdAt;
		this.url = facts.url;
	}

	get active(): boolean {
		return this.endedAt === undefined;
	}

	get expiresAt(): number {
		return this.createdAt + this.facts.ttl * 1000;
	}

	/** When it ends by itself unless something happens from `now` on. */
	dueAt(now: number): number {
		const busyUntil = this.running > 0 ? now : this.lastActivity;
		return Math.min(this.expiresAt, busyUntil + this.facts.activityTtl * 1000);
	}
}

/** Every browser session, and what ends the forgotten ones along the service's clock. */
export class Sessions {
	private sessions: Session[] = [];

	constructor(
		private readonly clock: Clock,
		private readonly ledger: Ledger,
	) {}

	open(facts: SessionFacts): Session {
		const session = new Session(facts, this.clock.now());
		this.sessions.push(session);
		void this.watch(session);
		return session;
	}

	/** The team's sessions of the last day, oldest first. */
	of(teamId: string): Session[] {
		const now = this.clock.now();
		return this.sessions.filter(
			({ facts, endedAt = now }) => facts.teamId === teamId && now < endedAt + day,
		);
	}

	ofScrape(scrapeId: string): Session | undefined {
		return this.sessions.findLast(({ facts }) => facts.scrapeId === scrapeId);
	}

	/** Throws 404 for an unknown session, 403 for another team's, and 410 for one that has ended. */
	findActive(teamId: string, id: string): Session {
		const found = this.sessions.find((session) => session.id === id);
		if (!found) throw notFound('Browser session not found.');
		if (found.facts.teamId !== teamId) throw forbidden();
		if (!found.active) throw new ApiError(410, { error: 'Browser session has been destroyed.' });
		return found;
	}

	/** Ends a session, says what it costs, and charges it to the request that opened it. */
	close(session: Session) {
		const now = this.clock.now();
		session.endedAt = now;
		session.end.abort(new Error('The session was closed'));
		const sessionDurationMs = now - session.createdAt;
		const credits = sessionCredits(sessionDurationMs, session.prompted);
		const { teamId, requestId, endpoint } = session.facts;
		this.ledger.charge({ teamId, requestId, jobId: session.id, endpoint, credits });
		return { sessionDurationMs, creditsBilled: credits };
	}

	clear(): void {
		for (const { end } of this.sessions) end.abort(new Error('The service was reset'));
		this.sessions = [];
	}

	/** Ends a session that nobody closed. */
	private async watch(session: Session): Promise<void> {
		const { signal } = session.end;
		while (!signal.aborted) {
			const now = this.clock.now();
			const left = session.dueAt(now) - now;
			if (left <= 0) this.close(session);
			else await this.clock.wait(left, signal).catch(() => undefined);
		}
	}
}

interface Run {
	session: Session;
	stdout: string;
	stderr: string;
	/** Waits on the clock, in milliseconds; nothing may happen once it is over. */
	wait(ms: number): Promise<void>;
}

/** Does a statement; with a number as its exit code the run is over. */
type Command = (run: Run, given: string) => Promise<void> | number | void;

const commands: ReadonlyArray<[statement: RegExp, command: Command]> = [
	[/^console\.log\(page\.url\(\)\)$/, (run) => void (run.stdout += `${run.session.url}\n`)],
	[
		/^(?:(?:print|console\.log)\(|echo )["']?(.*?)["']?\)?$/,
		(run, text) => void (run.stdout += `${text}\n`),
	],
	[/^sleep (\d+)$/, (run, seconds) => run.wait(Number(seconds) * 1000)],
	[/^await page\.waitForTimeout\((\d+)\)$/, (run, ms) => run.wait(Number(ms))],
	[/^await page\.goto\('(.*)'\)$/, (run, url) => void (run.session.url = pageUrl(url) ?? url)],
	[/^exit (\d+)$/, (_run, status) => Number(status)],
	[/^[\d +]*$/, () => undefined],
];

const killedStatus = 137;

/** Runs code in a session, a statement per line. Code that fails, or takes too long, is an outcome, no exception. */
export async function execute(clock: Clock, session: Session, { code, timeout }: ExecuteRequest) {
	const stopped = new Error('The execution was stopped: its time was up or its session over');
	const run: Run = { session, stdout: '', stderr: '', wait: () => Promise.resolve() };
	let killed = false;
	const work = withTimeout(
		clock,
		timeout * 1000,
		() => stopped,
		(expired) => {
			const signal = AbortSignal.any([expired, session.end.signal]);
			run.wait = (ms) => clock.wait(ms, signal);
			return perform(run, code, signal);
		},
	);
	const exitCode = await work.catch(() => {
		killed = true;
		run.stderr += `${stopped.message}\n`;
		return killedStatus;
	});
	const { stdout, stderr } = run;
	const error = stderr.trim().split('\n').at(-1) || `Exit code ${exitCode}`;
	const success = exitCode === 0;
	return { success, stdout, result: stdout, stderr, exitCode, killed, ...(!success && { error }) };
}

async function perform(run: Run, code: string, over: AbortSignal): Promise<number> {
	for (const line of code.split(/[\n;]/)) {
		const statement = line.trim();
		const [form, command] = commands.find(([each]) => each.test(statement)) ?? [];
		if (!form || !command) {
			run.stderr += `bash: ${statement}: command not found\n`;
			continue;
		}
		const exitCode = await command(run, form.exec(statement)?.[1] ?? '');
		over.throwIfAborted();
		if (exitCode !== undefined) return exitCode;
	}
	return run.stderr === '' ? 0 : 127;
}
