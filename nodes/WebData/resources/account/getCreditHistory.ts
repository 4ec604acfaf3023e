import type { IDataObject } from 'n8n-workflow';
import { answeredList } from '../../../runtime/answeredList';
import { boolean } from '../../../runtime/field';
import { form } from '../../../runtime/form';
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
	costs: 'free',
	request: form({
		byApiKey: boolean({
			displayName: 'By API Key',
			description: 'Whether to count the credits of each API key apart',
		}),
	}),
	settings: settingsFields(),
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
