import type { IDataObject } from 'n8n-workflow';
import { answeredList } from '../../../runtime/answeredList';
import { fields, flag } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { label, listResults, noticesIn } from '../../../runtime/results';
import { settingsFields } from '../../../runtime/settings';
import { camelCased } from './camelCased';

/** GET /team/credit-usage/historical (addendum 12). What was used has two names in use (addendum 16, 28). */
export const getCreditHistory = operation({
	name: 'Get Credit History',
	value: 'getCreditHistory',
	action: 'Get account credit history',
	description:
		'Returns the credits used in each billing period, one item per period, or per period and API key. Free.',
	fields: [
		{
			displayName: 'By API Key',
			name: 'byApiKey',
			type: 'boolean',
			default: false,
			description: 'Whether to count the credits of each API key apart',
		},
		...settingsFields(),
	],
	costs: 'free',
	contract: fields({ byApiKey: flag().optional() }),
	read: ({ byApiKey }) => ({ byApiKey }),
	async run({ byApiKey }, _values, call) {
		const answer = await call.send({
			method: 'GET',
			path: '/team/credit-usage/historical',
			query: byApiKey ? { byApiKey } : {},
			cost: 'read',
		});
		const body = answer.body as IDataObject;
		noticesIn(body).forEach(call.notice);
		answeredList(body.periods, call.place);
		return listResults(body, 'periods', 'results', call.place).map(({ json }) => {
			const period = camelCased(json);
			return { json: label(period, { creditsUsed: period.creditsUsed ?? period.totalCredits }) };
		});
	},
});
