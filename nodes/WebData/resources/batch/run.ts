import { operation } from '../../../runtime/operation/operation';
import { documentJob } from '../../documents/documentJob';
import { runSettings } from '../../documents/jobOperations';
import { batchStart } from '../../documents/batchStart';
import { batchKind } from '../../documents/batchKind';
import { batchRequest, mergeBatches } from './request';
import { costOf } from '../../fields/prices';

const batchJob = documentJob(batchKind);

/** POST /batch/scrape, then its documents (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape). */
export const run = operation({
	name: 'Run',
	value: 'run',
	action: 'Scrape a list of URLs',
	description: `Scrapes a list of URLs and returns one item per page. ${costOf('page')} per page, more for some formats. Takes seconds to minutes.`,
	request: batchRequest,
	settings: runSettings,
	costs: 'as Scrape, per page',
	mergeBodies: mergeBatches,
	run: async (body, context) => await context.runJob(batchJob, batchStart(body)),
	job: batchJob,
});
