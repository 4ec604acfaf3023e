import type { RateGroup } from './limits.cjs';

/** Groups of endpoints that a key may be limited to. */
export type Scope =
	| 'agent'
	| 'batch-scrape'
	| 'browser'
	| 'crawl'
	| 'map'
	| 'monitor'
	| 'parse'
	| 'research'
	| 'scrape'
	| 'search';

/** Features that a plan must include. */
export type Feature = 'alexandria' | 'anon' | 'ignoreRobots' | 'threatProtection' | 'zdr';

/** How a 429 tells how long to wait. */
export type RetryHint = 'header' | 'date' | 'text' | 'details' | 'none';

export interface Team {
	id: string;
	name: string;
	/** Credits bought; the balance is this minus what the ledger says was spent. */
	credits: number;
	/** Requests per minute and endpoint group; a missing group is unlimited. */
	ratePerMinute: Partial<Record<RateGroup, number>>;
	/** Requests at work at the same time. */
	concurrency: number;
	retryHint: RetryHint;
	features: Feature[];
	/** Zero data retention enforced: nothing stored, tool discovery and agent runs unavailable. */
	zdrForced: boolean;
	/** Organization policy for threat protection. `overrides: false` refuses per-request ones. */
	threat: { enforced: boolean; overrides: boolean };
	suspended: boolean;
	/** Safe mode: browsers are off (403 `SAFE_MODE_BLOCKED`). */
	safeMode: boolean;
	/** Signs the team's webhook deliveries; without one they go unsigned. */
	webhookSecret?: string;
	/** Balances too small for `limit` lower it, with a `warning`, instead of failing. */
	lowersLimit: boolean;
}

export interface Key {
	key: string;
	teamId: string;
	/** What the key stands for, printed by `npm run service`. */
	label: string;
	/** Missing: every scope. */
	scopes?: Scope[];
	revoked: boolean;
}

/** Who asks: the team that pays, and the key if one was sent. */
export interface Caller {
	team: Team;
	key?: Key;
	/** Answered from the free tier without a key: no account behind it. */
	keyless: boolean;
}

const team = (id: string, name: string, change: Partial<Team> = {}): Team => ({
	id,
	name,
	credits: 100_000,
	ratePerMinute: {},
	concurrency: 1000,
	retryHint: 'header',
	features: ['alexandria', 'anon', 'ignoreRobots', 'threatProtection', 'zdr'],
	zdrForced: false,
	threat: { enforced: false, overrides: true },
	suspended: false,
	safeMode: false,
	lowersLimit: true,
	...change,
});

const freePlan: Team['ratePerMinute'] = {
	search: 10,
	scrape: 10,
	map: 10,
	crawl: 2,
	agent: 2,
	interact: 2,
	interactExecute: 10,
};

/** The demo keys by what they stand for. Any other key is unknown to the service: 401. */
export const keys = {
	full: 'fc-f011000000000000000000000000aa01',
	plain: 'fc-b1a0000000000000000000000000aa02',
	free: 'fc-f4ee000000000000000000000000aa03',
	empty: 'fc-e0b7000000000000000000000000aa04',
	low: 'fc-10a0000000000000000000000000aa05',
	revoked: 'fc-4e0c000000000000000000000000aa06',
	searchOnly: 'fc-5ea4000000000000000000000000aa07',
	scrapeOnly: 'fc-5c4a000000000000000000000000aa08',
	zdr: 'fc-2d40000000000000000000000000aa09',
	suspended: 'fc-505e000000000000000000000000aa10',
	policed: 'fc-b011000000000000000000000000aa11',
	noOverrides: 'fc-0be4000000000000000000000000aa12',
} as const;

const demoTeams = (): Team[] => [
	team('team-full', 'Everything enabled'),
	team('team-plain', 'No paid features', { features: [] }),
	team('team-free', 'Free plan', {
		credits: 500,
		ratePerMinute: freePlan,
		concurrency: 2,
		retryHint: 'text',
		features: [],
	}),
	team('team-empty', 'No credits left', { credits: 0 }),
	team('team-low', 'Five credits left', { credits: 5 }),
	team('team-zdr', 'Zero data retention enforced', { zdrForced: true }),
	team('team-suspended', 'Suspended account', { suspended: true }),
	team('team-policed', 'Threat protection enforced', {
		threat: { enforced: true, overrides: true },
	}),
	team('team-fixed', 'Threat overrides off', { threat: { enforced: false, overrides: false } }),
];

const demoKeys = (): Key[] => {
	const key = (name: keyof typeof keys, teamId: string, label: string, scopes?: Scope[]): Key => ({
		key: keys[name],
		teamId,
		label,
		scopes,
		revoked: name === 'revoked',
	});
	return [
		key('full', 'team-full', 'every right and feature, 100 000 credits, no limits'),
		key('plain', 'team-plain', 'no alexandria, zdr, anon or threat protection (403)'),
		key('free', 'team-free', 'free plan: 10 requests per minute, 2 at a time, 500 credits'),
		key('empty', 'team-empty', 'out of credits (402)'),
		key('low', 'team-low', '5 credits: a larger limit is lowered, with a warning'),
		key('revoked', 'team-full', 'revoked (401)'),
		key('searchOnly', 'team-full', 'scope search only (403 elsewhere)', ['search']),
		key('scrapeOnly', 'team-full', 'scope scrape only (403 elsewhere)', ['scrape']),
		key('zdr', 'team-zdr', 'zero data retention enforced'),
		key('suspended', 'team-suspended', 'suspended account (403)'),
		key('policed', 'team-policed', 'threat protection enforced (may not be off)'),
		key('noOverrides', 'team-fixed', 'threat protection overrides disabled (403)'),
	];
};

/** The accounts of the mock server. Tests change the objects in place, or add their own. */
export class Teams {
	private readonly byId = new Map<string, Team>();
	private readonly byKey = new Map<string, Key>();

	constructor() {
		this.reset();
	}

	/** Back to the demo teams and keys. */
	reset(): void {
		this.byId.clear();
		this.byKey.clear();
		for (const each of [...demoTeams(), keylessTeam(), selfHostedTeam()])
			this.byId.set(each.id, each);
		for (const each of demoKeys()) this.byKey.set(each.key, each);
	}

	get(id: string): Team {
		const found = this.byId.get(id);
		if (!found) throw new Error(`No such team: ${id}`);
		return found;
	}

	/** The team behind a key. */
	of(key: string): Team {
		const found = this.byKey.get(key);
		if (!found) throw new Error(`No such key: ${key}`);
		return this.get(found.teamId);
	}

	key(key: string): Key | undefined {
		return this.byKey.get(key);
	}

	allKeys(): Key[] {
		return [...this.byKey.values()];
	}

	/** Adds a team with one key, or replaces the team of that id. Everything enabled unless changed. */
	add(change: Partial<Team> & { id: string }, key?: string, scopes?: Scope[]): Team {
		const added = team(change.id, change.name ?? change.id, change);
		this.byId.set(added.id, added);
		if (key) {
			this.byKey.set(key, { key, teamId: added.id, label: added.name, scopes, revoked: false });
		}
		return added;
	}
}

/** Requests without a key on the hosted service; its caps are counted in `keyless.cts`. */
const keylessTeam = (): Team =>
	team('keyless', 'Keyless tier', { credits: Infinity, features: [] });

/** Everybody, on a server whose authentication is off. */
const selfHostedTeam = (): Team => team('self-hosted', 'Self-hosted', { credits: 99_999_999 });
