import { checkRights, requireCredits, requireTools } from '../access.cjs';
import type { Context } from '../context.cjs';
import { badRequest, forbidden, notFound } from '../errors.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { pageCredits } from '../prices.cjs';
import { parseBody } from '../schemas/body.cjs';
import { jobUuid } from '../schemas/fields.cjs';
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
	const { url, domainTools, toolDetail, ...options } = request;
	if (domainTools) requireTools(call.caller, request.zeroDataRetention ?? false);
	checkRights(call, request, request);
	const { document } = await scrapePage(context, call, url, options);
	if (domainTools) {
		const { url: finalUrl } = document.metadata;
		document.tools = context.tools.find(undefined, [finalUrl], Infinity, toolDetail ?? 'summary');
	}
	// Documents of jobs and searches do not say it.
	document.metadata.concurrencyLimited = false;
	return { body: { success: true, data: document } };
}

/** Scrapes and charges. What takes longer than the request may wait goes on; the same request collects it. */
async function scrapePage(
	context: Context,
	call: ApiCall,
	url: string,
	options: ScrapeTask['options'],
): Promise<Scraped> {
	const { continuing, scraper } = context;
	const { team } = call.caller;
	const elapsed = context.clock.now() - call.entry.at;
	const patienceMs = (options.timeout ?? 60_000) - elapsed;
	const neededMs = scraper.processingTime(url, options);
	const key = JSON.stringify([team.id, call.body]);
	const joins = continuing.isRunning(key);
	if (!joins) requireCredits(context, call.caller, pageCredits(options));
	const task: ScrapeTask = { url, options, team };
	const charge = ({ credits, document }: Scraped): void =>
		call.charge(credits, document.metadata.scrapeId);
	if (joins || neededMs > Math.max(0, patienceMs)) {
		const begin = (stopped: AbortSignal): Promise<Scraped> =>
			scraper.scrape({ ...task, patient: true, stopped });
		const pageCount = (): Promise<number> => scraper.pageCount(url);
		return continuing.collect({ key, neededMs, patienceMs, pageCount, begin, charge });
	}
	const scraped = await scraper.scrape({ ...task, stall: call.stall, elapsed });
	charge(scraped);
	return scraped;
}

function scrapedBefore(context: Context, { params, caller }: ApiCall): Answer {
	const job = context.jobs.get(jobUuid(params.id));
	if (!job) throw notFound('Job not found.');
	if (job.teamId !== caller.team.id) throw forbidden();
	if (!job.document) {
		throw badRequest([], 'Zero data retention is on for this scrape: its result was not kept.');
	}
	return { body: { success: true, data: job.document } };
}
