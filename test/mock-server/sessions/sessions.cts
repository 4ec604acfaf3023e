import type { Clock } from '../clock.cjs';
import { ApiError, forbidden, notFound } from '../errors.cjs';
import type { Ledger } from '../ledger.cjs';
import type { Team } from '../teams.cjs';
import { Session, type Closing, type SessionFacts } from './session.cjs';

const day = 86_400_000;

/** Every browser session, and what ends the forgotten ones along the service's clock. */
export class Sessions {
	/** Oldest first; ended ones stay for a day. */
	private sessions: Session[] = [];

	constructor(
		private readonly clock: Clock,
		private readonly ledger: Ledger,
	) {}

	/**
	 * Opens a session. Throws 429 when the team has as many browsers as its plan allows, and 409 when
	 * another session is saving to the same profile.
	 */
	open(team: Team, facts: Omit<SessionFacts, 'teamId'>): Session {
		const { profile } = facts;
		const active = this.of(team.id).filter((session) => session.active);
		if (active.length >= team.concurrency) {
			throw new ApiError(429, {
				error: 'You have reached the maximum number of active browser sessions.',
			});
		}
		const writing = active.some(
			({ facts: { profile: other } }) => other?.saveChanges && other.name === profile?.name,
		);
		if (profile?.saveChanges && writing) {
			throw new ApiError(409, {
				error: `The profile ${profile.name} is already being written by another session.`,
			});
		}
		const session = new Session({ ...facts, teamId: team.id }, this.clock.now());
		this.sessions.push(session);
		void this.watch(session);
		return session;
	}

	/** The team's sessions of the last day, oldest first. */
	of(teamId: string): Session[] {
		const now = this.clock.now();
		this.sessions = this.sessions.filter(({ endedAt = now }) => now < endedAt + day);
		return this.sessions.filter(({ facts }) => facts.teamId === teamId);
	}

	/** Throws 404 for an unknown session and 403 for another team's. */
	find(teamId: string, id: string): Session {
		const found = this.sessions.find((session) => session.id === id);
		if (!found) throw notFound('Browser session not found.');
		if (found.facts.teamId !== teamId) throw forbidden();
		return found;
	}

	/** The session opened on a scrape, the newest if there were several. */
	ofScrape(scrapeId: string): Session | undefined {
		return this.sessions.findLast(({ facts }) => facts.scrapeId === scrapeId);
	}

	/** Throws the 410 of a session that has ended. */
	requireActive(session: Session): void {
		if (!session.active) throw new ApiError(410, { error: 'Browser session has been destroyed.' });
	}

	/** Ends a session and returns what it costs; the caller books it. */
	close(session: Session): Closing {
		return session.close(this.clock.now());
	}

	/** Throws the 409 of a profile that a session saves to; others can be deleted. */
	mayDelete(teamId: string, name: string): void {
		const saving = this.of(teamId).some(
			({ active, facts: { profile } }) => active && profile?.saveChanges && profile.name === name,
		);
		if (saving) {
			throw new ApiError(409, { error: `The profile ${name} is being written by a session.` });
		}
	}

	/** Forgets every session without a charge. */
	clear(): void {
		for (const session of this.sessions) if (session.active) session.close(this.clock.now());
		this.sessions = [];
	}

	/** Ends and charges a session that nobody closed. */
	private async watch(session: Session): Promise<void> {
		const { closed, facts } = session;
		while (session.active) {
			const now = this.clock.now();
			const left = session.dueAt(now) - now;
			if (left > 0) {
				await this.clock.wait(left, closed).catch(() => undefined);
				continue;
			}
			const { creditsBilled: credits } = session.close(now);
			const { teamId, requestId, endpoint } = facts;
			this.ledger.charge({ teamId, requestId, jobId: session.id, endpoint, credits });
		}
	}
}
