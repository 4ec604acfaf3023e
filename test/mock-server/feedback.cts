import { randomUUID } from 'node:crypto';

import type { Clock } from './clock.cjs';
import type { Ledger } from './ledger.cjs';

/** What a report gave back to its team. */
export interface Refund {
	feedbackId: string;
	creditsRefunded: number;
	alreadySubmitted?: true;
	dailyCapReached?: true;
	creditsRefundedToday: number;
	dailyRefundCap: number;
	warning?: string;
}

const dayMs = 86_400_000;

/** Reports on jobs: one per job, and what they refund. */
export class Feedback {
	/** Most credits that a team gets back in a day (UTC). */
	dailyRefundCap = 100;
	/** Teams that asked not to be asked: 403 `TEAM_OPTED_OUT`. */
	readonly optedOut = new Set<string>();
	/** Searches that failed after all: 409 `SEARCH_FAILED`. */
	readonly failedSearches = new Set<string>();
	/** What is out of order: 500 `INTERNAL`, 503 `DB_DISABLED`. */
	trouble?: 'DB_DISABLED' | 'INTERNAL';
	private readonly reports = new Map<string, string>();
	private readonly refunds: Array<{ teamId: string; day: number; credits: number }> = [];

	constructor(
		private readonly clock: Clock,
		private readonly ledger: Ledger,
	) {}

	/** Whether a job has been reported on. */
	has(jobId: string): boolean {
		return this.reports.has(jobId);
	}

	/**
	 * Takes the report on a job. The first one gives back `credits` of the job's price, as far as the
	 * day's cap goes; another one changes nothing. `request` is booked as the refund's cause.
	 */
	submit(
		teamId: string,
		jobId: string,
		credits: number,
		request: { id: string; path: string },
	): Refund {
		const day = Math.floor(this.clock.now() / dayMs);
		const before = this.refundedOn(teamId, day);
		const { dailyRefundCap } = this;
		const known = this.reports.get(jobId);
		if (known) {
			return {
				feedbackId: known,
				creditsRefunded: 0,
				alreadySubmitted: true,
				creditsRefundedToday: before,
				dailyRefundCap,
			};
		}
		const feedbackId = randomUUID();
		this.reports.set(jobId, feedbackId);
		const creditsRefunded = Math.max(0, Math.min(credits, dailyRefundCap - before));
		if (creditsRefunded > 0) {
			this.refunds.push({ teamId, day, credits: creditsRefunded });
			const { id: requestId, path: endpoint } = request;
			this.ledger.charge({ teamId, requestId, jobId, endpoint, credits: -creditsRefunded });
		}
		const capped = creditsRefunded < credits;
		return {
			feedbackId,
			creditsRefunded,
			...(capped && { dailyCapReached: true, warning: 'The daily refund cap is reached.' }),
			creditsRefundedToday: before + creditsRefunded,
			dailyRefundCap,
		};
	}

	clear(): void {
		this.dailyRefundCap = 100;
		this.optedOut.clear();
		this.failedSearches.clear();
		this.trouble = undefined;
		this.reports.clear();
		this.refunds.length = 0;
	}

	private refundedOn(teamId: string, day: number): number {
		return this.refunds
			.filter((refund) => refund.teamId === teamId && refund.day === day)
			.reduce((sum, { credits }) => sum + credits, 0);
	}
}
