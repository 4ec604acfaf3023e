import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/settings';
import { documentJob } from '../../documents/documentJob';
import { crawlStart } from '../../documents/crawlStart';
import { crawlKind } from '../../documents/crawlKind';
import { crawlRequest, noticePatterns } from './request';
import { costOf } from '../../fields/prices';

/** POST /crawl (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
export const start = operation({
	name: 'Start',
	value: 'start',
	action: 'Start a crawl',
	description: `Starts crawling a website and returns its job ID immediately, by which the pages can be fetched later. ${costOf('page')} per page, more for some formats.`,
	request: crawlRequest,
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime'),
	costs: 'as Run',
	async run(body, context) {
		noticePatterns(body, context);
		return await context.startJob(documentJob(crawlKind), crawlStart(body, context.isHosted));
	},
});
