import type { Context } from '../context.cjs';
import { startBatch } from '../pageJobs/startBatch.cjs';
import { endpoints, type ApiEndpoint } from '../pipeline.cjs';
import { jobAddress, pageJobEndpoints } from './pageJobs.cjs';

const path = '/v2/batch/scrape';

/** Batch scrapes. */
export function batchEndpoints(context: Context): ApiEndpoint[] {
	return [
		...endpoints({ scope: 'batch-scrape', rate: 'scrape' }, [
			`POST ${path}`,
			(call) => {
				const { job, ...more } = startBatch(context, call);
				const { id } = job;
				return { body: { success: true, id, url: jobAddress(call, path, id), ...more } };
			},
		]),
		...pageJobEndpoints(context, path, 'batch-scrape'),
	];
}
