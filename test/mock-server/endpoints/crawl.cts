import type { Context } from '../context.cjs';
import { promptOptions } from '../crawl/prompt.cjs';
import { nextJobsSchema, paceSchema } from '../pageJobs/pace.cjs';
import { startCrawl } from '../pageJobs/startCrawl.cjs';
import type { Answer, ApiCall, ApiEndpoint, Endpoint } from '../pipeline.cjs';
import { parseBody } from '../schemas/body.cjs';
import { paramsPreviewRequest } from '../schemas/crawl.cjs';
import { jobAddress, pageJobEndpoints } from './pageJobs.cjs';

const path = '/v2/crawl';

/** Crawls, and the control path over the pace of batch and crawl jobs. */
export function crawlEndpoints(context: Context): Endpoint[] {
	const { paces } = context.pageJobs;
	const active = (name: string): ApiEndpoint => ({
		method: 'GET',
		path: `${path}/${name}`,
		scope: 'crawl',
		rate: 'crawlStatus',
		handle: (call) => activeCrawls(context, call),
	});
	return [
		{ method: 'POST', path, scope: 'crawl', rate: 'crawl', handle: (call) => start(context, call) },
		active('active'),
		active('ongoing'),
		{
			method: 'POST',
			path: `${path}/params-preview`,
			scope: 'crawl',
			rate: 'crawl',
			handle: paramsPreview,
		},
		...pageJobEndpoints(context, { path, scope: 'crawl' }),
		{
			method: 'POST',
			path: '/_control/pages/pace',
			open({ body }) {
				paces.set(parseBody(paceSchema, body));
				return { body: { ok: true } };
			},
		},
		{
			method: 'POST',
			path: '/_control/pages/next',
			open({ body }) {
				paces.add(parseBody(nextJobsSchema, body));
				return { body: { ok: true } };
			},
		},
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

/** Its answer is no crawl request: `maxDepth` is unknown there, and `delay` is milliseconds here. */
function paramsPreview({ body }: ApiCall): Answer {
	const { url, prompt } = parseBody(paramsPreviewRequest, body);
	const { delayMs, ...options } = promptOptions(prompt);
	const { maxDiscoveryDepth } = options;
	return {
		body: {
			success: true,
			data: {
				url,
				...options,
				...(maxDiscoveryDepth !== undefined && { maxDepth: maxDiscoveryDepth }),
				...(delayMs !== undefined && { delay: delayMs }),
			},
		},
	};
}
