import { isWithin } from './search/index.cjs';
import { forbidden } from './errors.cjs';
import type { ThreatProtection } from './schemas/fields.cjs';
import type { Team } from './teams.cjs';

export const scanCredits = 2;

export interface Verdict {
	blocked: boolean;
	scanned: boolean;
}

const defaults = { riskScoreThreshold: 75, failurePolicy: 'closed' as const };

/** Threat protection: the organization's policy, the request's override, and the risk classifier. */
export class ThreatScanner {
	/** Risk scores by host, 0 to 100; other hosts are harmless unless their name says otherwise. */
	readonly scores = new Map<string, number>();
	/** `false`: the classifier cannot be reached. */
	reachable = true;

	/** Throws the 403 of a team that may not send this override. */
	permit(team: Team, override: ThreatProtection | undefined): void {
		if (!override) return;
		if (!team.features.includes('threatProtection')) {
			throw forbidden('Threat protection is not enabled for this team.');
		}
		if (!team.threat.overrides) {
			throw forbidden('Threat protection overrides are disabled for this organization.');
		}
		if (override.mode === 'off' && team.threat.enforced) {
			throw forbidden('Threat protection is enforced for this team and may not be turned off.');
		}
	}

	/** Judges one address. The whitelist wins over every other rule. */
	judge(team: Team, override: ThreatProtection | undefined, url: string): Verdict {
		const mode = override?.mode ?? (team.threat.enforced ? 'normal' : 'off');
		if (mode === 'off') return { blocked: false, scanned: false };
		const host = new URL(url).hostname;
		const listed = (list: string[] = []): boolean => list.some((rule) => covers(rule, host));
		if (listed(override?.whitelist)) return { blocked: false, scanned: false };
		const banned = override?.blockedTlds?.some((tld) => host.endsWith(`.${tld}`)) ?? false;
		if (banned || listed(override?.blacklist)) return { blocked: true, scanned: false };
		if (mode === 'manual-only') return { blocked: false, scanned: false };
		const threshold = override?.riskScoreThreshold ?? defaults.riskScoreThreshold;
		if (!this.reachable) {
			const policy = override?.failurePolicy ?? defaults.failurePolicy;
			return { blocked: policy === 'closed', scanned: false };
		}
		return { blocked: this.score(host) >= threshold, scanned: true };
	}

	clear(): void {
		this.scores.clear();
		this.reachable = true;
	}

	private score(host: string): number {
		return this.scores.get(host) ?? (/phish|malware/.test(host) ? 95 : 5);
	}
}

/** `*.domain` covers the hosts below a domain, a plain domain itself and them. */
function covers(rule: string, host: string): boolean {
	return rule.startsWith('*.') ? host.endsWith(rule.slice(1)) : isWithin(host, rule);
}
