import { waitFields } from '../../../runtime/jobs/job';
import { operation } from '../../../runtime/operation/operation';
import { documentOptions, readingOptions } from '../../fields/pageOptions';
import { settingsFields } from '../../../runtime/form/options';
import { documentJob, returnFailedField } from '../../documents/documentJob';
import { outputField } from '../../fields/output';
import { crawlStart } from '../../documents/crawlStart';
import { crawlKind } from '../../documents/crawlKind';
import { crawlHints, crawlRequest } from './request';
import { costOf } from '../../fields/prices';

const crawlJob = documentJob(crawlKind);

/** POST /crawl, then its documents (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
export const run = operation({
	name: 'Run',
	value: 'run',
	action: 'Crawl a website',
	description: `Crawls a website from a start URL and returns one item per page. ${costOf('page')} per page, more for some formats; takes minutes. For URLs only, use a map.`,
	request: crawlRequest,
	settings: [
		...waitFields,
		returnFailedField,
		outputField,
		...settingsFields(
			{ files: true, starts: true, reuses: true },
			{ ...documentOptions, ...readingOptions },
		),
	],
	costs: 'as Scrape, per page',
	hints: crawlHints,
	run: async (body, _values, context) =>
		await context.runJob(crawlJob, crawlStart(body, context.isHosted)),
	job: crawlJob,
});
