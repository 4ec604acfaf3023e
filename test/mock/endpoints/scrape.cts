import { checkRights, requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { badRequest, forbidden, notFound } from '../errors.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { pageCredits } from '../prices.cjs';
import { jobUuid, parseBody } from '../schemas/fields.cjs';
import { scrapeRequest } from '../schemas/scrapeOptions.cjs';
import type { Scraped, ScrapeTask } from '../scrape/scraper.cjs';
import { runTools } from '../tools.cjs';

/** `POST /scrape` and `GET /scrape/{jobId}`. */
export function scrapeEndpoints(context: Context): ApiEndpoint[] {
	return endpoints(
		{ scope: 'scrape', rate: 'scrape' },
		['POST /v2/scrape', (call) => scrape(context, call), { work: true }],
		['GET /v2/scrape/:id', (call) => scrapedBefore(context, call), { rate: 'scrapeStatus' }],
	);
}

async function scrape(context: Context, call: ApiCall): Promise<Answer> {
	if ('alexandria' in Object(call.body)) return runTools(context, call);
	const request = parseBody(scrapeRequest, call.body);
	const { url, ...options } = request;
	checkRights(call, request, request);
	const { document } = await scrapePage(context, call, url, options);
	// Documents of jobs and searches do not say it.
	document.metadata.concurrencyLimited = false;
	return { body: { success: true, data: document } };
}

/** Scrapes and charges. A document that takes longer than the request may wait is read on; the same request collects it. */
async function scrapePage(
	context: Context,
	call: ApiCall,
	url: string,
	options: ScrapeTask['options'],
): Promise<Scraped> {
	const { clock, largeDocuments, scraper } = context;
	const { team } = call.caller;
	const elapsed = clock.now() - call.entry.at;
	const patience = (options.timeout ?? 60_000) - elapsed;
	const key = JSON.stringify([team.id, call.body]);
	if (!largeDocuments.isRead(key)) requireCredits(context, call.caller, pageCredits(options));
	const needed = scraper.processingTime(url, options);
	const pageCount = () => scraper.pageCount(url);
	const processingMs = await largeDocuments.timeLeft(key, needed, patience, pageCount);
	const { stall } = call;
	const scraped = await scraper.scrape({ url, options, team, stall, elapsed, processingMs });
	call.charge(scraped.credits, scraped.document.metadata.scrapeId);
	return scraped;
}

function scrapedBefore(context: Context, { params, caller }: ApiCall): Answer {
	const job = context.scrapes.get(jobUuid(params.id));
	if (!job) throw notFound('Job not found.');
	if (job.teamId !== caller.team.id) throw forbidden();
	if (!job.document) {
		throw badRequest([], 'Zero data retention is on for this scrape: its result was not kept.');
	}
	return { body: { success: true, data: job.document } };
}
