import { balance } from '../access.cjs';
import type { Context } from '../context.cjs';
import { ApiError, badRequest, forbidden, paymentRequired } from '../errors.cjs';
import type { ApiCall } from '../pipeline.cjs';
import { isUuid } from '../schemas/fields.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { WebhookConfig } from '../schemas/webhook.cjs';

/**
 * The start's idempotency key: `x-idempotency-key`, a UUID. Throws the 400 for another text and the 409
 * for a key that has started a job. A request that starts nothing does not use its key up.
 */
export function idempotencyKey({ pageJobs }: Context, call: ApiCall): string | undefined {
	const key = call.headers['x-idempotency-key'];
	if (key === undefined) return undefined;
	if (typeof key !== 'string' || !isUuid(key)) {
		throw badRequest(
			[{ code: 'custom', path: ['x-idempotency-key'], message: 'Invalid uuid' }],
			'Invalid idempotency key',
		);
	}
	if (pageJobs.isUsed(call.caller.team.id, key)) {
		throw new ApiError(409, { error: 'Idempotency key already used' });
	}
	return key;
}

/** Throws the 403 of a team that may not have pages scraped so, and the 400 of a private webhook. */
export function checkRights(
	{ threats, webhooks }: Context,
	{ caller: { team } }: ApiCall,
	request: { webhook?: WebhookConfig; zeroDataRetention?: boolean },
	{ threatProtection }: ScrapeOptions,
): void {
	webhooks.permit(request.webhook);
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
