import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { monitorEndpoints } from '../../fields/monitor/endpoints';
import { monitorId } from '../../fields/monitor/monitorId';
import { recordResult } from './response';

/** GET /monitor/{id} (https://docs.firecrawl.dev/api-reference/endpoint/monitor-get). */
export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get a monitor',
	description:
		'Returns a monitor: targets, schedule, next run, estimated credits per month and a summary of the last check. Free.',
	costs: 'free',
	request: form({ monitorId }),
	settings: settingsFields(),
	async run({ monitorId: id }, context) {
		const response = await context.send({ endpoint: monitorEndpoints.get, ids: { id } });
		return [recordResult(response.body, context)];
	},
});
