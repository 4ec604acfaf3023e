import type { Context } from './context.cjs';
import { forbidden, paymentRequired, unauthorized } from './errors.cjs';
import type { LogEntry } from './requestLog.cjs';
import type { Caller, Scope } from './teams.cjs';

/**
 * Who sent the request, by its Authorization header.
 * Throws 401 and 403; a request without header passes where the keyless tier answers it.
 */
export function identify(
	context: Context,
	entry: LogEntry,
	access: { scope?: Scope; keyless?: boolean },
): Caller {
	if (!context.options.authentication) {
		return { team: context.teams.get('self-hosted'), keyless: false };
	}
	if (!entry.authorization) {
		if (!access.keyless || !context.options.keyless) throw unauthorized('Unauthorized');
		context.keyless.admit();
		return { team: context.teams.get('keyless'), keyless: true };
	}
	const key = entry.key === undefined ? undefined : context.teams.key(entry.key);
	if (!key || key.revoked) throw unauthorized();
	const team = context.teams.get(key.teamId);
	if (team.suspended) throw forbidden('Forbidden: Account suspended');
	if (access.scope && key.scopes && !key.scopes.includes(access.scope)) throw forbidden();
	return { team, key, keyless: false };
}

/** Throws the 403 of a caller that may not search the tool catalogue. */
export function requireTools({ team, keyless }: Caller, zeroRetention: boolean): void {
	if (keyless) throw forbidden('An API key is required for provider tools.');
	if (zeroRetention || team.zdrForced || !team.features.includes('alexandria')) {
		throw forbidden('Provider discovery requires access and does not support zero data retention.');
	}
}

/** What the team can still spend. */
export function balance(context: Context, caller: Caller): number {
	return caller.team.credits - context.ledger.spent(caller.team.id);
}

/** Throws the 402 unless the balance covers `credits`. */
export function requireCredits(context: Context, caller: Caller, credits: number): void {
	if (balance(context, caller) < credits) throw paymentRequired();
}
