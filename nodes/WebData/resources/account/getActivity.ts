import type { IDataObject } from 'n8n-workflow';
import { byCursor, readList, requireArray } from '../../../runtime/http/paging';
import { getTeamActivity } from '../../../runtime/api/teamEndpoints';
import { oneOf } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { asRecord } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { limit } from '../../fields/limit';

/** Most entries of a page. */
const pageSize = 100;

/**
 * GET /team/activity (https://docs.firecrawl.dev/api-reference/endpoint/activity), with pagination
 * by cursor.
 */
export const getActivity = operation({
	name: 'Get Activity',
	value: 'getActivity',
	action: 'Get recent account activity',
	description:
		"Returns the team's requests of the last 24 hours, one item each: ID, endpoint, target and time. Free.",
	costs: 'free',
	request: form({
		...limit({ default: 50, description: 'Max number of results to return' }),
		...additionalFields({
			endpoint: oneOf({
				displayName: 'Endpoint',
				default: 'search',
				options: [
					{ name: 'Agent', value: 'agent' },
					{ name: 'Batch Scrape', value: 'batch_scrape' },
					{ name: 'Browser', value: 'browser' },
					{ name: 'Crawl', value: 'crawl' },
					{ name: 'Data Tool', value: 'alexandria' },
					{ name: 'Deep Research', value: 'deep_research' },
					{ name: 'Extract', value: 'extract' },
					{ name: 'Interact', value: 'interact' },
					{ name: 'LLMs.txt', value: 'llmstxt' },
					{ name: 'Map', value: 'map' },
					{ name: 'Scrape', value: 'scrape' },
					{ name: 'Search', value: 'search' },
				],
				description: 'Only requests to this endpoint',
			}),
		}),
	}),
	settings: settingsFields(),
	async run({ endpoint, limit: most = Infinity }, context) {
		const query: IDataObject = {
			limit: Math.min(most, pageSize),
			...(endpoint !== undefined && { endpoint }),
		};
		const first = { endpoint: getTeamActivity, query };
		const entries = await readList(
			first,
			{
				entriesOf: ({ data }) => requireArray(data, context.errorSource),
				next: byCursor(first),
			},
			most,
			context,
		);
		return entries.map((entry) => ({ json: asRecord(entry) }));
	},
});
