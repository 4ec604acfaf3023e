import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { requireJobId } from '../../../runtime/http/requireJobId';
import { jobResult } from '../../documents/documentJob';
import { withoutEffect } from '../../fields/withoutEffect';
import { batchStart } from '../../documents/batchStart';
import { batchKind } from '../../documents/batchKind';
import { batchRequest, gatherBatch } from './request';

/** POST /batch/scrape (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape). */
export const start = operation({
	name: 'Start',
	value: 'start',
	action: 'Start a batch',
	description:
		'Starts reading many web pages and returns the job ID at once, without the pages; Get reads them later. 1 credit per page, more for some formats.',
	request: batchRequest,
	settings: settingsFields({ starts: true }),
	costs: 'as Run',
	hints: withoutEffect,
	gather: gatherBatch,
	async run(body, _values, call) {
		const answer = await call.send(batchStart(body));
		return [jobResult(requireJobId(batchKind.noun, answer, call.place))];
	},
});
