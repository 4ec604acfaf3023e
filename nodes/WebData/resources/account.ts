import type { IDataObject } from 'n8n-workflow';
import { missingInResponse } from '../../runtime/errors/webDataError';
import { endpoint, getTeamCredits, getTeamQueue } from '../../runtime/http/endpoint';
import { boolean } from '../../runtime/form/field';
import { additionalFields, form } from '../../runtime/form/form';
import { requireArray, type Sender } from '../../runtime/http/paging';
import { operation, type Resource } from '../../runtime/operation';
import { asRecord, label, listResults, without } from '../../runtime/execution/results';

const getTeamCreditHistory = endpoint('GET', '/team/credit-usage/historical', 'account');

const camelCase = (name: string) =>
	name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Converts a record's names to camel case: some servers return `remaining_credits`. */
const toCamelCase = (record: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [camelCase(name), value]));

/** Fetches the credits of the team (https://docs.firecrawl.dev/api-reference/endpoint/credit-usage). */
async function teamCredits({ send, errorSource }: Sender): Promise<IDataObject> {
	const body = asRecord((await send({ endpoint: getTeamCredits })).body);
	// Some servers omit the wrapper.
	const usage = asRecord(body.data ?? without(body, 'success'));
	if (Object.keys(usage).length === 0) throw missingInResponse('the credits', errorSource);
	return toCamelCase(usage);
}

/** GET /team/credit-usage (https://docs.firecrawl.dev/api-reference/endpoint/credit-usage). */
export const getCreditUsage = operation({
	name: 'Get Credit Usage',
	value: 'getCreditUsage',
	action: 'Get account credit usage',
	description:
		"Returns the remaining credits, the plan's credits, and the dates of the billing period. Free.",
	request: form({}),
	run: async (_body, context) => [{ json: await teamCredits(context) }],
});

/** GET /team/credit-usage/historical, whose used credits have two names (https://docs.firecrawl.dev/api-reference/endpoint/credit-usage-historical). */
export const getCreditHistory = operation({
	name: 'Get Credit History',
	value: 'getCreditHistory',
	action: 'Get account credit history',
	description: 'Returns the credits used in each billing period, also by API key. Free.',
	request: form(
		additionalFields({
			byApiKey: boolean(
				'By API Key',
				'Whether to return an item per period and API key, instead of per period',
			),
		}),
	),
	async run({ byApiKey }, context) {
		const response = await context.send({
			endpoint: getTeamCreditHistory,
			query: byApiKey ? { byApiKey } : {},
		});
		requireArray(asRecord(response.body).periods, context.errorSource);
		const results = await listResults(response.body, 'periods', 'results', context.errorSource);
		return results.map(({ json }) => {
			const period = toCamelCase(json);
			return { json: label(period, { creditsUsed: period.creditsUsed ?? period.totalCredits }) };
		});
	},
});

/** GET /team/queue-status (https://docs.firecrawl.dev/api-reference/endpoint/queue-status). */
export const getQueueStatus = operation({
	name: 'Get Queue Status',
	value: 'getQueueStatus',
	action: 'Get account queue status',
	description:
		"Returns the team's number of running and queued jobs, and the max concurrency. Free.",
	request: form({}),
	async run(_body, context) {
		const response = await context.send({ endpoint: getTeamQueue });
		const queue = without(asRecord(response.body), 'success');
		if (Object.keys(queue).length === 0)
			throw missingInResponse('the queue status', context.errorSource);
		return [{ json: toCamelCase(queue) }];
	},
});

export const account: Resource = {
	name: 'Account',
	value: 'account',
	operations: [getCreditUsage, getCreditHistory, getQueueStatus],
};
