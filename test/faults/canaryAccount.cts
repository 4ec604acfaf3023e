import type { Account } from '../engine/workbench.cjs';
import type { Service } from '../service/service.cjs';
import type { Team } from '../service/teams.cjs';
import { canaries } from './campaign.cjs';

/** A team that can pay for every campaign, and the credential with the canaries that calls for it. */
export function canaryAccount(service: Service, change: Partial<Team> = {}): Account {
	const { key, webhookSecret } = canaries;
	const team = service.teams.add({ ...change, id: 'canary', credits: 1e9 }, key);
	const webDataApi = { baseUrl: service.url, apiKey: key, webhookSecret };
	return { team, key, credentials: { webDataApi } };
}
