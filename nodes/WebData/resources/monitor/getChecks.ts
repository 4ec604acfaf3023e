import { choice, fields, flag, isOn, membersOf, wholeNumber } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { readByOffset } from '../../../runtime/paginateByOffset';
import { settingsFields } from '../../../runtime/settings';
import { limitFields } from '../../fields/limit';
import { monitorId, monitorIdField, monitorPath } from '../../fields/monitor/monitorId';

/** GET /monitor/{id}/checks (addendum 10). */
export const getChecks = operation({
	name: 'Get Many Checks',
	value: 'getChecks',
	action: 'Get many monitor checks',
	description:
		'Returns the checks of a monitor: status, credits, and how many pages changed, without the pages. Get Check reads those. Free.',
	fields: [
		monitorIdField,
		...limitFields({ initial: 50, description: 'Max number of results to return' }),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
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
							description: 'The check before it was still running',
						},
					],
					description: 'Only checks in this state',
				},
			],
		},
		...settingsFields(),
	],
	costs: 'free',
	contract: fields({
		monitorId: monitorId(),
		returnAll: flag().optional(),
		limit: wholeNumber({ min: 1 }).optional(),
		status: choice(
			'queued',
			'running',
			'completed',
			'failed',
			'partial',
			'skipped_overlap',
			'skipped_no_credits',
		).optional(),
	}),
	read: ({ monitorId: picked, returnAll, limit, additionalFields }) => ({
		monitorId: picked,
		returnAll,
		limit: isOn(returnAll) ? undefined : limit,
		...membersOf(additionalFields),
	}),
	async run({ monitorId: id, limit = Infinity, status }, _values, call) {
		const query = status === undefined ? {} : { status };
		const request = {
			method: 'GET',
			path: `${monitorPath(id)}/checks`,
			query,
			cost: 'read',
		} as const;
		return (await readByOffset(request, limit, call)).map((json) => ({ json }));
	},
});
