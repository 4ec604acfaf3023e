import { checkRights, takeIdempotencyKey, withAllowedLimit } from '../access.cjs';
import type { Context } from '../context.cjs';
import { crawlDefaults, SiteCrawl } from '../crawl/siteCrawl.cjs';
import { ApiError, forbidden } from '../errors.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { parseBody } from '../schemas/body.cjs';
import { checkPatterns, crawlRequest, paramsPreviewRequest } from '../schemas/jobs.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import { jobAddress, pageJobEndpoints } from './pageJobs.cjs';

const path = '/v2/crawl';

/** What every prompt is read as. */
const promptOptions = { allowSubdomains: true, limit: 20, includePaths: ['^/guides(/.*)?$'] };

/** The scrape options of a crawl as the list of active ones returns them: recorded. */
function completed(options: ScrapeOptions): Record<string, unknown> {
	return {
		onlyMainContent: true,
		onlyCleanContent: false,
		waitFor: 0,
		mobile: false,
		parsers: ['pdf'],
		removeBase64Images: true,
		fastMode: false,
		blockAds: true,
		proxy: 'auto',
		storeInCache: true,
		lockdown: false,
		skipTlsVerification: true,
		formats: [{ type: 'markdown' }],
		...options,
	};
}

/** Crawls. */
export function crawlEndpoints(context: Context): ApiEndpoint[] {
	return [
		...endpoints(
			{ scope: 'crawl', rate: 'crawl' },
			[`POST ${path}`, (call) => start(context, call)],
			[`GET ${path}/active`, (call) => activeCrawls(context, call), { rate: 'crawlStatus' }],
			[`GET ${path}/ongoing`, (call) => activeCrawls(context, call), { rate: 'crawlStatus' }],
			[`POST ${path}/params-preview`, paramsPreview],
		),
		...pageJobEndpoints(context, path, 'crawl'),
	];
}

function start(context: Context, call: ApiCall): Answer {
	// The service's order: who has no credits keeps the key, who is refused for the body does not.
	const body = withAllowedLimit(context, call);
	takeIdempotencyKey(context, call);
	const request = parseBody(crawlRequest, body);
	const { team } = call.caller;
	const { prompt, scrapeOptions = {}, webhook, zeroDataRetention, ...rest } = request;
	const { origin, integration, maxConcurrency, ...asked } = rest;
	for (const list of [request.includePaths, request.excludePaths]) checkPatterns(list);
	checkRights(call, request, scrapeOptions);
	if ((asked.ignoreRobotsTxt || asked.robotsUserAgent) && !team.features.includes('ignoreRobots')) {
		throw forbidden(
			'The ignoreRobotsTxt parameter is an enterprise feature. Contact support@firecrawl.com to explore whether it can be enabled for your team.',
		);
	}

	const wanted = { ...crawlDefaults, ...(prompt !== undefined && promptOptions), ...asked };
	const pageOptions = { ...scrapeOptions, ...(zeroDataRetention && { zeroDataRetention }) };
	const { delay, ...scope } = { ...wanted, limit: Math.max(1, wanted.limit) };
	const { url: _, ...options } = { ...scope, ...(delay !== undefined && { delay }) };
	const { id } = context.pageJobs.start({
		kind: 'crawl',
		team,
		source: new SiteCrawl(scope, context.site),
		pageOptions,
		concurrency: delay === undefined ? (maxConcurrency ?? Infinity) : 1,
		delayMs: (delay ?? 0) * 1000,
		webhook,
		requestId: call.entry.id,
		url: asked.url,
		options: { ...options, scrapeOptions: completed(scrapeOptions) },
	});
	const read = { promptGeneratedOptions: promptOptions, finalCrawlerOptions: options };
	return {
		body: {
			...{ success: true, id, url: jobAddress(call, path, id) },
			...(prompt !== undefined && read),
		},
	};
}

function activeCrawls({ pageJobs }: Context, { caller: { team } }: ApiCall): Answer {
	const crawls = pageJobs.active(team.id, 'crawl').map(({ id, about }) => ({
		id,
		teamId: team.id,
		url: about.url,
		created_at: new Date(about.startedAt).toISOString(),
		options: about.options,
	}));
	return { body: { success: true, crawls } };
}

function paramsPreview({ body }: ApiCall): Answer {
	const request = paramsPreviewRequest.safeParse(body);
	if (request.success) {
		return { body: { success: true, data: { url: request.data.url, ...promptOptions } } };
	}
	const words = request.error.issues.map(({ message }) => message).join(', ');
	const error = `Invalid request parameters: ${words}`;
	throw new ApiError(400, { code: 'BAD_REQUEST', error });
}
