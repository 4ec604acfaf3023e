import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/settings';
import { documentJob } from '../../documents/documentJob';
import { batchStart } from '../../documents/batchStart';
import { batchKind } from '../../documents/batchKind';
import { batchRequest, mergeBatches } from './request';
import { costOf } from '../../fields/prices';

/** POST /batch/scrape (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape). */
export const start = operation({
	name: 'Start',
	value: 'start',
	action: 'Start a batch',
	description: `Starts scraping a list of URLs and returns its job ID immediately, by which the pages can be fetched later. ${costOf('page')} per page, more for some formats.`,
	request: batchRequest,
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime'),
	costs: 'as Run',
	mergeBodies: mergeBatches,
	async run(body, context) {
		return await context.startJob(documentJob(batchKind), batchStart(body));
	},
});
