import type { IDataObject } from 'n8n-workflow';
import { requireArray } from '../../../runtime/http/paging';
import type { Endpoint } from '../../../runtime/api/endpoint';
import { boolean } from '../../../runtime/form/field';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { label, listResults } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { camelCased } from './response';

const getTeamCreditHistory: Endpoint = {
	method: 'GET',
	path: '/team/credit-usage/historical',
	bucket: 'account',
	since: 'April 2026',
	instead: `Use 'Get Credit Usage'.`,
	needsDatabase: true,
};

/**
 * GET /team/credit-usage/historical. Servers use two names for the used credits
 * (https://docs.firecrawl.dev/api-reference/endpoint/credit-usage-historical).
 */
export const getCreditHistory = operation({
	name: 'Get Credit History',
	value: 'getCreditHistory',
	action: 'Get account credit history',
	description:
		'Returns the credits used in each billing period, one item per period, or per period and API key. Free.',
	costs: 'free',
	request: form({
		byApiKey: boolean({
			displayName: 'By API Key',
			description: 'Whether to group credits by API key',
		}),
	}),
	settings: settingsFields(),
	async run({ byApiKey }, context) {
		const response = await context.send({
			endpoint: getTeamCreditHistory,
			query: byApiKey ? { byApiKey } : {},
		});
		const body = response.body as IDataObject;
		requireArray(body.periods, context.errorSource);
		const results = await listResults(body, 'periods', 'results', context.errorSource);
		return results.map(({ json }) => {
			const period = camelCased(json);
			return { json: label(period, { creditsUsed: period.creditsUsed ?? period.totalCredits }) };
		});
	},
});
