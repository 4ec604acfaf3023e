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
		'Starts a check of a monitor at once, beside its schedule, and returns the check with its ID while it is still running. Get Check reads its pages later. Costs the credits that reading the pages costs.',
	costs: 'what its pages cost',
	request: form({ monitorId }),
	settings: settingsFields({ starts: true }),
	async run({ monitorId: id }, _values, context) {
		const response = await context.send({
			endpoint: monitorEndpoints.run,
			ids: { id },
			price: checkPrice,
		});
		return [startedResult('check', response, context)];
	},
});
