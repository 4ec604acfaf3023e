import { answeredList } from '../../../runtime/answeredList';
import { choice, fields, flag, isOn, membersOf, wholeNumber } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { memberOf } from '../../../runtime/record';
import { listResults } from '../../../runtime/results';
import { settingsFields } from '../../../runtime/settings';
import { limitFields } from '../../fields/limit';

/** GET /interact (addendum 9): no pages. */
export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many browser sessions',
	description:
		"Returns the team's browser sessions, one item each: ID, status, addresses for watching and remote control, and last use. Free.",
	fields: [
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
					default: 'active',
					options: [
						{ name: 'Active', value: 'active' },
						{ name: 'Destroyed', value: 'destroyed', description: 'Closed, or over' },
						{ name: 'Error', value: 'error' },
					],
					description: 'Only sessions in this state',
				},
			],
		},
		...settingsFields(),
	],
	costs: 'free',
	contract: fields({
		returnAll: flag().optional(),
		limit: wholeNumber({ min: 1 }).optional(),
		status: choice('active', 'destroyed', 'error').optional(),
	}),
	read: ({ returnAll, limit, additionalFields }) => ({
		returnAll,
		limit: isOn(returnAll) ? undefined : limit,
		...membersOf(additionalFields),
	}),
	async run({ status, limit }, _values, call) {
		const query = status === undefined ? {} : { status };
		const answer = await call.send({ method: 'GET', path: '/interact', query, cost: 'read' });
		answeredList(memberOf(answer.body, 'sessions'), call.place);
		return listResults(answer.body, 'sessions', 'results', call.place).slice(0, limit);
	},
});
