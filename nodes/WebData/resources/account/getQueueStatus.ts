import type { IDataObject } from 'n8n-workflow';
import { missingInResponse } from '../../../runtime/api/errors';
import { getTeamQueue } from '../../../runtime/api/teamEndpoints';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { without } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { camelCased } from './response';

/** GET /team/queue-status (https://docs.firecrawl.dev/api-reference/endpoint/queue-status). */
export const getQueueStatus = operation({
	name: 'Get Queue Status',
	value: 'getQueueStatus',
	action: 'Get account queue status',
	description:
		"Returns the team's number of running and queued jobs, the max concurrency, and when a job last succeeded. Free.",
	costs: 'free',
	request: form({}),
	settings: settingsFields(),
	async run(_body, context) {
		const response = await context.send({ endpoint: getTeamQueue });
		const body = response.body as IDataObject;
		const queue = without(body, 'success');
		if (Object.keys(queue).length === 0)
			throw missingInResponse('the queue status', context.errorSource);
		return [{ json: camelCased(queue) }];
	},
});
