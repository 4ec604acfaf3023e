/** How a 429 tells how long to wait. */
export type RetryHint = 'header' | 'details';

export interface Team {
	id: string;
	/** Credits bought; the balance is this minus what the ledger says was spent. */
	credits: number;
	/** How many requests it may make in a minute, and at once. */
	ratePerMinute?: number;
	concurrency: number;
	retryHint: RetryHint;
	/** Signs the team's webhook deliveries; without one they go unsigned. */
	webhookSecret?: string;
}

/** The key of the team that is there from the start. Any key that no team has is unknown to the service: 401. */
export const demoKey = 'fc-f011000000000000000000000000aa01';

/** The accounts of the mock server. Tests change the objects in place, or add their own. */
export class Teams {
	private readonly byId = new Map<string, Team>();
	private readonly byKey = new Map<string, Team>();

	constructor() {
		this.clear();
	}

	clear(): void {
		this.byId.clear();
		this.byKey.clear();
		this.add({ id: 'demo' }, demoKey);
		// Everybody, where nobody needs a key.
		this.add({ id: 'self-hosted', credits: 99_999_999 });
	}

	get(id: string): Team {
		const found = this.byId.get(id);
		if (!found) throw new Error(`No such team: ${id}`);
		return found;
	}

	ofKey(key: string): Team | undefined {
		return this.byKey.get(key);
	}

	/** Adds a team with one key, or replaces the team of that id. With as much as it likes unless changed. */
	add(change: Partial<Team> & Pick<Team, 'id'>, key?: string): Team {
		const team: Team = { credits: 100_000, concurrency: 1000, retryHint: 'header', ...change };
		this.byId.set(team.id, team);
		if (key) this.byKey.set(key, team);
		return team;
	}
}
