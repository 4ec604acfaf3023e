import { ApiError, forbidden } from './errors.cjs';
import type { ThreatProtection } from './schemas/fields.cjs';
import type { Team } from './teams.cjs';

export const scanCredits = 2;

const usualThreshold = 75;

/** Threat protection: the organization's policy, the request's override, and the risk classifier. */
export class ThreatScanner {
	/** Risk scores by host, 0 to 100; other hosts are harmless unless their name says otherwise. */
	readonly scores = new Map<string, number>();

	/** Throws the 403 of a team that may not send this override. */
	permit(team: Team, override: ThreatProtection | undefined): void {
		if (!override) return;
		if (!team.features.includes('threatProtection')) {
			throw forbidden(
				'Threat protection is an enterprise feature and is not enabled for your team. Contact support@firecrawl.com to explore whether it can be enabled for your team.',
			);
		}
		if (!team.threat.overrides) {
			throw forbidden('Threat protection overrides are disabled for this organization.');
		}
		if (override.mode === 'off' && team.threat.enforced) {
			throw forbidden('Threat protection is enforced for this team and may not be turned off.');
		}
	}

	/** Judges every address, throws the 403 of one that may not be asked for, and answers what the scans cost. */
	admit(team: Team, override: ThreatProtection | undefined, urls: readonly string[]): number {
		const verdicts = urls.map((url) => this.judge(team, override, url));
		const credits = verdicts.filter(({ billed }) => billed).length * scanCredits;
		const refused = urls.find((_, index) => verdicts[index].blocked);
		if (refused === undefined) return credits;
		const error = `${new URL(refused).hostname} was blocked by threat protection`;
		throw new ApiError(403, { code: 'unsafe_domain_blocked', error }, {}, credits);
	}

	/** Judges one address by its risk; addresses that the request lists itself are not looked up here. */
	judge(team: Team, override: ThreatProtection | undefined, url: string) {
		const mode = override?.mode ?? (team.threat.enforced ? 'normal' : 'off');
		const scanned = mode !== 'off' && mode !== 'manual-only';
		const threshold = override?.riskScoreThreshold ?? usualThreshold;
		const blocked = scanned && this.score(new URL(url).hostname) >= threshold;
		// Zscaler is the organization's own.
		return { blocked, billed: mode === 'normal' };
	}

	clear(): void {
		this.scores.clear();
	}

	private score(host: string): number {
		return this.scores.get(host) ?? (/phish|malware/.test(host) ? 95 : 5);
	}
}
