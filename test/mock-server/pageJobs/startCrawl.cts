import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { forbidden } from '../errors.cjs';
import type { ApiCall } from '../pipeline.cjs';
import { parseBody } from '../schemas/body.cjs';
import { crawlRequest, type CrawlRequest } from '../schemas/crawl.cjs';
import { pageCredits } from '../scrape/price.cjs';
import {
	affordablePages,
	checkRights,
	isSupported,
	takeIdempotencyKey,
	unsupportedSite,
} from './admission.cjs';
import type { PageJob } from './job.cjs';
import { CrawlSource } from './sources.cjs';

export interface StartedCrawl {
	job: PageJob;
	/** Only with a prompt: what it was read as, and what that makes of the request. */
	promptGeneratedOptions?: Record<string, unknown>;
	finalCrawlerOptions?: Record<string, unknown>;
}

/** What a crawl does where its request says nothing. */
export const crawlDefaults = {
	includePaths: [],
	excludePaths: [],
	regexOnFullURL: false,
	limit: 10_000,
	sitemap: 'include',
	crawlEntireDomain: false,
	allowExternalLinks: false,
	allowSubdomains: false,
	ignoreQueryParameters: false,
	deduplicateSimilarURLs: true,
	ignoreRobotsTxt: false,
} satisfies Partial<CrawlRequest>;

/** What every prompt is read as. */
export const promptOptions = {
	allowSubdomains: true,
	limit: 20,
	includePaths: ['^/guides(/.*)?$'],
};

/** `POST /crawl`: checks the request, then starts a job. */
export function startCrawl(context: Context, call: ApiCall): StartedCrawl {
	// The service's order: who has no credits keeps the key, who is refused for the body does not.
	requireCredits(context, call.caller, 1);
	takeIdempotencyKey(context, call);
	const request = parseBody(crawlRequest, call.body);
	const { team } = call.caller;
	const { prompt, scrapeOptions = {}, webhook, zeroDataRetention, ...rest } = request;
	const { origin, integration, maxConcurrency, ...asked } = rest;
	checkRights(context, call, request, scrapeOptions);
	if ((asked.ignoreRobotsTxt || asked.robotsUserAgent) && !team.features.includes('ignoreRobots')) {
		throw forbidden('ignoreRobotsTxt and robotsUserAgent are not enabled for this team.');
	}
	if (!isSupported(context, asked.url)) throw unsupportedSite(asked.url);

	const generated = prompt === undefined ? {} : promptOptions;
	const wanted = { ...crawlDefaults, ...generated, ...asked };
	const options = { ...scrapeOptions, ...(zeroDataRetention && { zeroDataRetention }) };
	const limit = affordablePages(context, call, wanted.limit, pageCredits(options, undefined));
	const { delay, ...scope } = { ...wanted, limit };

	const job = context.pageJobs.start({
		kind: 'crawl',
		team,
		source: new CrawlSource(scope, options, context.site),
		concurrency: delay === undefined ? (maxConcurrency ?? Infinity) : 1,
		delayMs: (delay ?? 0) * 1000,
		webhook,
		requestId: call.entry.id,
		...(limit < wanted.limit && {
			warning: `The limit was lowered to ${limit}: the credit balance covers no more.`,
		}),
		url: asked.url,
		options: {
			...scope,
			...(delay !== undefined && { delay }),
			...(maxConcurrency !== undefined && { maxConcurrency }),
			scrapeOptions,
		},
	});
	if (prompt === undefined) return { job };
	return {
		job,
		promptGeneratedOptions: generated,
		finalCrawlerOptions: { ...scope, ...(delay !== undefined && { delay }) },
	};
}
