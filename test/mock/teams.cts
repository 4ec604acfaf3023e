import { readData } from './data.cjs';

/** How a 429 tells how long to wait. */
export type RetryHint = 'header' | 'details';

export interface Team {
	id: string;
	/** Credits bought; the balance is this minus what the ledger says was spent. */
	credits: number;
	/** Requests per minute and endpoint group; a missing group is unlimited. */
	ratePerMinute: Partial<Record<string, number>>;
	concurrency: number;
	retryHint: RetryHint;
	/** Signs the team's webhook deliveries; without one they go unsigned. */
	webhookSecret?: string;
}

export interface Key {
	key: string;
	teamId: string;
	/** What the key stands for, printed by `npm run service`. */
	label: string;
	revoked?: boolean;
}

/** Who asks: the team that pays, and the key if one was sent. */
export interface Caller {
	team: Team;
	key?: Key;
}

const team = (facts: Partial<Team> & Pick<Team, 'id'>): Team => ({
	credits: 100_000,
	ratePerMinute: {},
	concurrency: 1000,
	retryHint: 'header',
	...facts,
});

type KeyName = 'full' | 'empty' | 'revoked';

/** The demo accounts. `self-hosted`: everybody, where nobody needs a key. */
const demo = readData<{
	teams: Array<Partial<Team> & Pick<Team, 'id'>>;
	keys: Record<KeyName, Key>;
}>('data/teams.json');

/** The demo keys by what they stand for. Any other key is unknown to the service: 401. */
export const keys = Object.fromEntries(
	Object.entries(demo.keys).map(([name, { key }]) => [name, key]),
) as Record<KeyName, string>;

/** The accounts of the mock server. Tests change the objects in place, or add their own. */
export class Teams {
	private readonly byId = new Map<string, Team>();
	private readonly byKey = new Map<string, Key>();

	constructor() {
		this.clear();
	}

	clear(): void {
		this.byId.clear();
		this.byKey.clear();
		const { teams, keys: all } = structuredClone(demo);
		for (const each of teams) this.byId.set(each.id, team(each));
		for (const each of Object.values(all)) this.byKey.set(each.key, each);
	}

	get(id: string): Team {
		const found = this.byId.get(id);
		if (!found) throw new Error(`No such team: ${id}`);
		return found;
	}

	key(key: string): Key | undefined {
		return this.byKey.get(key);
	}

	allKeys(): Key[] {
		return [...this.byKey.values()];
	}

	/** Adds a team with one key, or replaces the team of that id. With as much as it likes unless changed. */
	add(change: Partial<Team> & { id: string }, key?: string): Team {
		const added = team(change);
		this.byId.set(added.id, added);
		if (key) this.byKey.set(key, { key, teamId: added.id, label: added.id });
		return added;
	}
}
