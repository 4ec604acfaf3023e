import type { Context } from '../context.cjs';
import { promptOptions, startCrawl } from '../pageJobs/startCrawl.cjs';
import { endpoints, type Answer, type ApiCall, type ApiEndpoint } from '../pipeline.cjs';
import { parseBody } from '../schemas/body.cjs';
import { paramsPreviewRequest } from '../schemas/crawl.cjs';
import { jobAddress, pageJobEndpoints } from './pageJobs.cjs';

const path = '/v2/crawl';

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
	const { job, ...more } = startCrawl(context, call);
	const { warning } = job.about;
	const url = jobAddress(call, path, job.id);
	return { body: { success: true, id: job.id, url, ...(warning && { warning }), ...more } };
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
	const { url } = parseBody(paramsPreviewRequest, body);
	return { body: { success: true, data: { url, ...promptOptions } } };
}
