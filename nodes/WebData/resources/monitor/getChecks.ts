import { oneOf } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { readByOffset } from '../../../runtime/http/paging';
import { settingsFields } from '../../../runtime/form/options';
import { limit } from '../../fields/limit';
import { monitorEndpoints } from '../../fields/monitor/endpoints';
import { monitorId } from '../../fields/monitor/monitorId';

/** GET /monitor/{id}/checks (https://docs.firecrawl.dev/features/monitoring). */
export const getChecks = operation({
	name: 'Get Many Checks',
	value: 'getChecks',
	action: 'Get many monitor checks',
	description:
		'Returns the checks of a monitor: status, credits, and how many pages changed, without the pages. Free.',
	costs: 'free',
	request: form({
		monitorId,
		...limit({ default: 50, description: 'Max number of results to return' }),
		...additionalFields({
			status: oneOf({
				displayName: 'Status',
				default: 'completed',
				options: [
					{ name: 'Completed', value: 'completed' },
					{ name: 'Failed', value: 'failed' },
					{ name: 'Partial', value: 'partial', description: 'Some pages failed' },
					{ name: 'Queued', value: 'queued' },
					{ name: 'Running', value: 'running' },
					{
						name: 'Skipped: No Credits',
						value: 'skipped_no_credits',
						description: 'The credits were used up',
					},
					{
						name: 'Skipped: Overlap',
						value: 'skipped_overlap',
						description: 'The previous check was still running',
					},
				],
				description: 'Only checks with this status',
			}),
		}),
	}),
	settings: settingsFields(),
	async run({ monitorId: id, limit: most = Infinity, status }, context) {
		const query = status === undefined ? {} : { status };
		const request = { endpoint: monitorEndpoints.listChecks, ids: { id }, query };
		return (await readByOffset(request, most, context)).map((json) => ({ json }));
	},
});
