import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { badRequest, forbidden, notFound } from '../errors.cjs';
import type { Answer, ApiCall, Endpoints } from '../pipeline.cjs';
import { pageCredits } from '../prices.cjs';
import { jobUuid, parseBody } from '../schemas/fields.cjs';
import { scrapeRequest } from '../schemas/scrapeOptions.cjs';
import { runTools } from '../tools.cjs';

/** `POST /scrape` and `GET /scrape/{jobId}`. */
export function scrapeEndpoints(context: Context): Endpoints {
	return {
		'POST /v2/scrape': (call) => scrape(context, call),
		'GET /v2/scrape/:id': (call) => scrapedBefore(context, call),
	};
}

async function scrape(context: Context, call: ApiCall): Promise<Answer> {
	if ('alexandria' in Object(call.body)) return runTools(context, call);
	const request = parseBody(scrapeRequest, call.body);
	const { url, ...options } = request;
	requireCredits(context, call.team, pageCredits(options));
	const { team } = call;
	const { document, credits } = await context.scraper.scrape({ url, options, team });
	call.charge(credits, document.metadata.scrapeId);
	// Documents of jobs and searches do not say it.
	document.metadata.concurrencyLimited = false;
	return { body: { success: true, data: document } };
}

function scrapedBefore(context: Context, { params, team }: ApiCall): Answer {
	const job = context.scrapes.get(jobUuid(params.id));
	if (!job) throw notFound('Job not found.');
	if (job.teamId !== team.id) throw forbidden();
	if (!job.document) {
		throw badRequest([], 'Zero data retention is on for this scrape: its result was not kept.');
	}
	return { body: { success: true, data: job.document } };
}
