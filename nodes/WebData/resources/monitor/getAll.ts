import { fields, flag, isOn, wholeNumber } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { readByOffset } from '../../../runtime/paginateByOffset';
import { settingsFields } from '../../../runtime/settings';
import { limitFields } from '../../fields/limit';

/** GET /monitor (addendum 10). */
export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many monitors',
	description:
		"Returns the team's monitors with their targets, schedules and last summaries. Free.",
	fields: [
		...limitFields({ initial: 50, description: 'Max number of results to return' }),
		...settingsFields(),
	],
	costs: 'free',
	contract: fields({ returnAll: flag().optional(), limit: wholeNumber({ min: 1 }).optional() }),
	read: ({ returnAll, limit }) => ({ returnAll, limit: isOn(returnAll) ? undefined : limit }),
	async run({ limit = Infinity }, _values, call) {
		const request = { method: 'GET', path: '/monitor', cost: 'read' } as const;
		return (await readByOffset(request, limit, call)).map((json) => ({ json }));
	},
});
