import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { teamCredits } from './response';

/** GET /team/credit-usage (https://docs.firecrawl.dev/api-reference/endpoint/credit-usage). */
export const getCreditUsage = operation({
	name: 'Get Credit Usage',
	value: 'getCreditUsage',
	action: 'Get account credit usage',
	description:
		"Returns the remaining credits, the plan's credits, and the billing period's first and last day. Free.",
	costs: 'free',
	request: form({}),
	settings: settingsFields(),
	run: async (_body, context) => [{ json: await teamCredits(context) }],
});
