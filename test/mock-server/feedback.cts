import { randomUUID } from 'node:crypto';

import type { Clock } from './clock.cjs';
import type { Ledger } from './requestLog.cjs';

const dayMs = 86_400_000;

/** Reports on jobs: one per job, and what they refund. */
export class Feedback {
	dailyRefundCap = 100;
	private readonly reports = new Map<string, string>();
	private readonly refunds: Array<{ teamId: string; day: number; credits: number }> = [];

	constructor(
		private readonly clock: Clock,
		private readonly ledger: Ledger,
	) {}

	has(jobId: string): boolean {
		return this.reports.has(jobId);
	}

	/** Takes the report on a job: the first one gives back `credits` of its price, as far as the day's cap goes. */
	submit(teamId: string, jobId: string, credits: number, request: { id: string; path: string }) {
		const { dailyRefundCap } = this;
		const day = Math.floor(this.clock.now() / dayMs);
		const today = this.refunds.filter((refund) => refund.teamId === teamId && refund.day === day);
		const before = today.reduce((sum, refund) => sum + refund.credits, 0);
		const known = this.reports.get(jobId);
		const feedbackId = known ?? randomUUID();
		this.reports.set(jobId, feedbackId);
		const creditsRefunded = known ? 0 : Math.max(0, Math.min(credits, dailyRefundCap - before));
		if (creditsRefunded > 0) {
			this.refunds.push({ teamId, day, credits: creditsRefunded });
			const { id: requestId, path: endpoint } = request;
			this.ledger.charge({ teamId, requestId, jobId, endpoint, credits: -creditsRefunded });
		}
		const capped = !known && creditsRefunded < credits;
		return {
			feedbackId,
			creditsRefunded,
			...(known && { alreadySubmitted: true }),
			...(capped && { dailyCapReached: true, warning: 'The daily refund cap is reached.' }),
			creditsRefundedToday: before + creditsRefunded,
			dailyRefundCap,
		};
	}

	clear(): void {
		this.dailyRefundCap = 100;
		this.reports.clear();
		this.refunds.length = 0;
	}
}
