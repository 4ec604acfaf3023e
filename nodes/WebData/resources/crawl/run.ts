import { operation } from '../../../runtime/operation/operation';
import { documentJob } from '../../documents/documentJob';
import { runSettings } from '../../documents/jobOperations';
import { crawlStart } from '../../documents/crawlStart';
import { crawlKind } from '../../documents/crawlKind';
import { crawlRequest, noticePatterns } from './request';
import { costOf } from '../../fields/prices';

const crawlJob = documentJob(crawlKind);

/** POST /crawl, then its documents (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
export const run = operation({
	name: 'Run',
	value: 'run',
	action: 'Crawl a website',
	description: `Crawls a website from a start URL and returns one item per page. ${costOf('page')} per page, more for some formats; takes minutes.`,
	request: crawlRequest,
	settings: runSettings,
	costs: 'as Scrape, per page',
	async run(body, context) {
		noticePatterns(body, context);
		return await context.runJob(crawlJob, crawlStart(body, context.isHosted));
	},
	job: crawlJob,
});
