import type { Account } from '../engine/testBed.cjs';
import type { Service } from '../mock/service.cjs';
import type { Team } from '../mock/teams.cjs';
import { canaries } from './fuzzRun.cjs';

/** A team that can pay for every fuzz run, and the credential with the canaries that calls for it. */
export function canaryAccount(service: Service, change: Partial<Team> = {}): Account {
	const { key, webhookSecret } = canaries;
	const team = service.teams.add({ ...change, id: 'canary', credits: 1e9 }, key);
	const webDataApi = { baseUrl: service.url, apiKey: key, webhookSecret };
	return { team, key, credentials: { webDataApi } };
}
