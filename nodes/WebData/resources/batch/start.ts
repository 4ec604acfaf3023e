import { operation } from '../../../runtime/operation';
import { settingsFields } from '../../../runtime/settings';
import { startedAs } from '../../../runtime/started';
import { jobResult } from '../../documents/documentJob';
import { withoutEffect } from '../../fields/withoutEffect';
import { batchStart } from '../../documents/batchStart';
import { batchKind } from '../../documents/batchKind';
import { batchRequest, batchRequestFields, gatherBatch, readBatchRequest } from './request';

/** POST /batch/scrape (addendum 5). */
export const start = operation({
	name: 'Start',
	value: 'start',
	action: 'Start a batch',
	description:
		'Starts reading many web pages and returns the job ID at once, without the pages; Get reads them later. 1 credit per page, more for some formats.',
	fields: [...batchRequestFields, ...settingsFields({ starts: true })],
	costs: 'as Run',
	contract: batchRequest,
	hints: withoutEffect,
	read: readBatchRequest,
	gather: gatherBatch,
	async run(body, _values, call) {
		const answer = await call.send(batchStart(body));
		return [jobResult(startedAs(batchKind.noun, answer, call.place))];
	},
});
