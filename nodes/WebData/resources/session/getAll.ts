import { requireArray } from '../../../runtime/http/paging';
import { oneOf } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { fieldOf } from '../../../runtime/values/record';
import { listResults } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { limit } from '../../fields/limit';

/** GET /interact (https://docs.firecrawl.dev/api-reference/endpoint/browser-list): no pages. */
export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many browser sessions',
	description:
		"Returns the team's browser sessions, one item each: ID, status, addresses for watching and remote control, and last use. Free.",
	costs: 'free',
	request: form({
		...limit({ default: 50, description: 'Max number of results to return' }),
		...additionalFields({
			status: oneOf({
				displayName: 'Status',
				default: 'active',
				options: [
					{ name: 'Active', value: 'active' },
					{ name: 'Destroyed', value: 'destroyed', description: 'Closed, or over' },
					{ name: 'Error', value: 'error' },
				],
				description: 'Only sessions in this state',
			}),
		}),
	}),
	settings: settingsFields(),
	async run({ status, limit: most }, _values, call) {
		const query = status === undefined ? {} : { status };
		const response = await call.send({
			method: 'GET',
			path: '/interact',
			query,
			retrySafety: 'safe',
		});
		requireArray(fieldOf(response.body, 'sessions'), call.errorSource);
		return listResults(response.body, 'sessions', 'results', call.errorSource).slice(0, most);
	},
});
