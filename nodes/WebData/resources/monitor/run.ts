import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { monitorEndpoints } from '../../fields/monitor/endpoints';
import { monitorId } from '../../fields/monitor/monitorId';
import { checkPrice } from '../../fields/prices';
import { startedResult } from './response';

/** POST /monitor/{id}/run (https://docs.firecrawl.dev/api-reference/endpoint/monitor-run). */
export const run = operation({
	name: 'Run',
	value: 'run',
	action: 'Run a monitor now',
	description:
		'Starts a check of a monitor immediately, in addition to its schedule, and returns the running check with its ID. Costs as many credits as scraping the pages.',
	costs: 'as scraping its pages',
	request: form({ monitorId }),
	settings: settingsFields({ starts: true }),
	async run({ monitorId: id }, context) {
		const response = await context.send({
			endpoint: monitorEndpoints.run,
			ids: { id },
			price: checkPrice,
		});
		return [startedResult('check', response, context)];
	},
});
