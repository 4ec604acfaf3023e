import { randomUUID } from 'node:crypto';

/** What a session is opened with; times in seconds. */
export interface SessionFacts {
	teamId: string;
	/** The request that opened it; the charge names it. */
	requestId: string;
	/** The endpoint that the session is charged under. */
	endpoint: string;
	ttl: number;
	activityTtl: number;
	streamWebView: boolean;
	/** Whether what it shows is kept as a video. */
	recordSession: boolean;
	profile?: { name: string; saveChanges: boolean };
	/** The scrape that it belongs to. */
	scrapeId?: string;
}

/** How a session was closed. */
export interface Closing {
	sessionDurationMs: number;
	creditsBilled: number;
}

const minute = 60_000;
/** Credits per started minute. */
export const sessionCredits = { code: 2, prompt: 7 };

/** One browser session; it lives until it is closed, too old or idle for too long. */
export class Session {
	readonly id = randomUUID();
	/** The address of its one tab. */
	url = 'about:blank';
	lastActivity: number;
	endedAt: number | undefined;
	/** Whether a prompt was run in it: then every minute has the price of prompts. */
	prompted = false;
	/** Runs under way: while there are any the session is not idle. */
	running = 0;
	private readonly end = new AbortController();

	constructor(
		readonly facts: SessionFacts,
		readonly createdAt: number,
	) {
		this.lastActivity = createdAt;
	}

	get active(): boolean {
		return this.endedAt === undefined;
	}

	/** Aborted when the session ends. */
	get closed(): AbortSignal {
		return this.end.signal;
	}

	get expiresAt(): number {
		return this.createdAt + this.facts.ttl * 1000;
	}

	/** When it ends by itself unless something happens from `now` on. */
	dueAt(now: number): number {
		const busyUntil = this.running > 0 ? now : this.lastActivity;
		return Math.min(this.expiresAt, busyUntil + this.facts.activityTtl * 1000);
	}

	/** Ends it, and everything that runs in it, and says what it costs. */
	close(now: number): Closing {
		this.endedAt = now;
		this.end.abort(new Error('The session was closed'));
		const sessionDurationMs = now - this.createdAt;
		const minutes = Math.max(1, Math.ceil(sessionDurationMs / minute));
		const perMinute = this.prompted ? sessionCredits.prompt : sessionCredits.code;
		return { sessionDurationMs, creditsBilled: minutes * perMinute };
	}
}
