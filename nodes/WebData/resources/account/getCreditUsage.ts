import type { IDataObject } from 'n8n-workflow';
import { missingInResponse } from '../../../runtime/api/errors';
import { getTeamCredits } from '../../../runtime/api/teamEndpoints';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { asRecord, without } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { camelCased } from './camelCased';

/** GET /team/credit-usage (https://docs.firecrawl.dev/api-reference/endpoint/credit-usage). */
export const getCreditUsage = operation({
	name: 'Get Credit Usage',
	value: 'getCreditUsage',
	action: 'Get account credit usage',
	description:
		"Returns the remaining credits, the plan's credits, and the billing period's first and last day. Free; use it before operations that cost credits.",
	costs: 'free',
	request: form({}),
	settings: settingsFields(),
	async run(_body, context) {
		const response = await context.send({ endpoint: getTeamCredits });
		const body = response.body as IDataObject;
		// Some servers omit the wrapper.
		const usage = asRecord(body.data ?? without(body, 'success'));
		if (Object.keys(usage).length === 0)
			throw missingInResponse('the credits', context.errorSource);
		return [{ json: camelCased(usage) }];
	},
});
