import type { Clock } from './clock.cjs';

/** One charge. `credits` may be 0 (a free call that is worth a line) and, for a refund, negative. */
export interface LedgerEntry {
	at: number;
	teamId: string;
	requestId: string;
	jobId?: string;
	endpoint: string;
	credits: number;
}

/** What every team was charged, in order. Balances are computed from it, never stored. */
export class Ledger {
	readonly entries: LedgerEntry[] = [];
	private readonly spentBy = new Map<string, number>();

	constructor(private readonly clock: Clock) {}

	charge(entry: Omit<LedgerEntry, 'at'>): void {
		this.entries.push({ at: this.clock.now(), ...entry });
		this.spentBy.set(entry.teamId, this.spent(entry.teamId) + entry.credits);
	}

	spent(teamId: string): number {
		return this.spentBy.get(teamId) ?? 0;
	}

	clear(): void {
		this.entries.length = 0;
		this.spentBy.clear();
	}
}
