import { randomUUID } from 'node:crypto';

import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { mapSite } from '../crawl/mapSite.cjs';
import { ApiError } from '../errors.cjs';
import { isSupported, unsupportedSite } from '../pageJobs/admission.cjs';
import { endpoints, type Answer, type ApiCall, type ApiEndpoint } from '../pipeline.cjs';
import { parseBody } from '../schemas/body.cjs';
import { mapRequest, type MapRequest } from '../schemas/map.cjs';
import { scanCredits } from '../threats.cjs';
import { withTimeout } from '../withTimeout.cjs';

/** `POST /map`. */
export function mapEndpoints(context: Context): ApiEndpoint[] {
	const access = { scope: 'map', rate: 'map', work: true } as const;
	return endpoints(access, ['POST /v2/map', (call) => map(context, call)]);
}

async function map(context: Context, call: ApiCall): Promise<Answer> {
	const request = parseBody(mapRequest, call.body);
	const { url, threatProtection, timeout } = request;
	const { team } = call.caller;
	context.threats.permit(team, threatProtection);
	if (!isSupported(context, url)) throw unsupportedSite(url);
	const { blocked, scanned } = context.threats.judge(team, threatProtection, url);
	const scan = scanned ? scanCredits : 0;
	if (blocked) {
		const error = `${new URL(url).hostname} was blocked by threat protection`;
		throw new ApiError(403, { code: 'unsafe_domain_blocked', error }, {}, scan);
	}
	requireCredits(context, call.caller, 1 + scan);
	if (timeout === undefined) return answer(context, call, request, scan);
	const late = (): Error => new ApiError(408, { code: 'MAP_TIMEOUT', error: 'Request Timeout' });
	const left = timeout - (context.clock.now() - call.entry.at);
	return withTimeout(context.clock, left, late, (expired) =>
		answer(context, call, request, scan, expired),
	);
}

async function answer(
	{ site, clock, options }: Context,
	call: ApiCall,
	request: MapRequest,
	scan: number,
	expired = new AbortController().signal,
): Promise<Answer> {
	await call.stall?.();
	const links = await mapSite(request, { site, clock }, expired);
	expired.throwIfAborted();
	const id = randomUUID();
	call.charge(1 + scan, id);
	const narrow = links.length <= 1 && new URL(request.url).pathname !== '/';
	const warning = `Only ${links.length} result(s) found. Try mapping the base domain.`;
	return {
		body: {
			success: true,
			id,
			links: options.mapLinks === 'strings' ? links.map(({ url }) => url) : links,
			...(narrow && { warning }),
		},
	};
}
