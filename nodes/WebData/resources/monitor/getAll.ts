import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { readByOffset } from '../../../runtime/http/paging';
import { settingsFields } from '../../../runtime/form/options';
import { limit } from '../../fields/limit';
import { monitorEndpoints } from '../../fields/monitor/endpoints';

/** GET /monitor (https://docs.firecrawl.dev/features/monitoring). */
export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many monitors',
	description:
		"Returns the team's monitors with their targets, schedules and last summaries. Free.",
	costs: 'free',
	request: form(limit({ default: 50, description: 'Max number of results to return' })),
	settings: settingsFields(),
	async run({ limit: most = Infinity }, context) {
		const request = { endpoint: monitorEndpoints.list };
		return (await readByOffset(request, most, context)).map((json) => ({ json }));
	},
});
