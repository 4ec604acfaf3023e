import { requireArray } from '../../../runtime/http/paging';
import type { Endpoint } from '../../../runtime/api/endpoint';
import { oneOf } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { fieldOf } from '../../../runtime/values/record';
import { listResults } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { limit } from '../../fields/limit';
import { useActions } from './fields';

const listBrowserSessions: Endpoint = {
	method: 'GET',
	path: '/interact',
	bucket: 'browserExecute',
	since: 'August 2026',
	instead: useActions,
	needsDatabase: true,
};

/**
 * GET /interact (https://docs.firecrawl.dev/api-reference/endpoint/browser-list), without
 * pagination.
 */
export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many browser sessions',
	description:
		"Returns the team's browser sessions, one item each: ID, status, URLs for live view and remote control, and last use. Free.",
	costs: 'free',
	request: form({
		...limit({ default: 50, description: 'Max number of results to return' }),
		...additionalFields({
			status: oneOf({
				displayName: 'Status',
				default: 'active',
				options: [
					{ name: 'Active', value: 'active' },
					{ name: 'Destroyed', value: 'destroyed', description: 'Closed or expired' },
					{ name: 'Error', value: 'error' },
				],
				description: 'Only sessions with this status',
			}),
		}),
	}),
	settings: settingsFields(),
	async run({ status, limit: most }, context) {
		const query = status === undefined ? {} : { status };
		const response = await context.send({
			endpoint: listBrowserSessions,
			query,
		});
		requireArray(fieldOf(response.body, 'sessions'), context.errorSource);
		const { errorSource } = context;
		return (await listResults(response.body, 'sessions', 'results', errorSource)).slice(0, most);
	},
});
