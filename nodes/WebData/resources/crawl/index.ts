import type { Resource } from '../../../runtime/operation/operation';
import { cancelJob, getJob, getJobErrors } from '../../documents/jobOperations';
import { getActive } from './getActive';
import { crawlKind } from '../../documents/crawlKind';
import { previewParams } from './previewParams';
import { run } from './run';
import { start } from './start';

export const crawl: Resource = {
	name: 'Crawl',
	value: 'crawl',
	operations: [
		run,
		start,
		getJob(crawlKind),
		cancelJob(crawlKind),
		getJobErrors(crawlKind),
		getActive,
		previewParams,
	],
};
