import { balance } from '../access.cjs';
import type { Context } from '../context.cjs';
import { ApiError, forbidden, paymentRequired } from '../errors.cjs';
import type { ApiCall } from '../pipeline.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';

/** A UUID of a known version, as the service's own library reads it. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * Uses up a crawl's idempotency key, `x-idempotency-key`: of whatever comes after it, and for all teams.
 * Throws the 409 for a key that was used before, and the same for one that is no UUID.
 */
export function takeIdempotencyKey({ pageJobs }: Context, { headers }: ApiCall): void {
	const key = headers['x-idempotency-key'];
	if (key === undefined) return;
	if (typeof key !== 'string' || !uuid.test(key) || !pageJobs.useKey(key)) {
		throw new ApiError(409, { error: 'Idempotency key already used' });
	}
}

/** Throws the 403 of a team that may not have pages scraped so. */
export function checkRights(
	{ threats }: Context,
	{ caller: { team } }: ApiCall,
	request: { zeroDataRetention?: boolean },
	{ threatProtection }: ScrapeOptions,
): void {
	if (request.zeroDataRetention && !team.features.includes('zdr')) {
		throw forbidden('Zero data retention is not enabled for this team.');
	}
	threats.permit(team, threatProtection);
}

/** Whether the service scrapes a site at all. */
export function isSupported({ unsupportedHosts }: Context, url: string): boolean {
	return !unsupportedHosts.has(new URL(url).hostname);
}

/** The 403 of a site that the service does not scrape. */
export function unsupportedSite(url: string): ApiError {
	const error = `${new URL(url).hostname} is not supported`;
	return new ApiError(403, { code: 'UNSUPPORTED_SITE', error });
}

/**
 * How many pages of a price the balance covers, up to those asked for. Throws the 402 where it covers
 * none, or too few for a team whose limits are not lowered.
 */
export function affordablePages(
	context: Context,
	{ caller }: ApiCall,
	asked: number,
	perPage: number,
): number {
	const covered = Math.min(asked, Math.floor(balance(context, caller) / perPage));
	if (covered < 1 || (covered < asked && !caller.team.lowersLimit)) throw paymentRequired();
	return covered;
}
