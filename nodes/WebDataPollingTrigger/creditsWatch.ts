import { missingInResponse } from '../runtime/api/errors';
import { number, oneOf, required, withDefault } from '../runtime/form/field';
import { form } from '../runtime/form/form';
import { teamCredits } from '../WebData/resources/account';
import { watch } from './watch';

const request = form(
	{
		remainingBelow: required(
			number({
				displayName: 'Remaining Below',
				min: 1,
				default: 1000,
				description: 'Triggers once when the remaining credits fall below this number',
			}),
		),
		remainingUnit: withDefault(
			oneOf({
				displayName: 'Remaining Unit',
				default: 'credits',
				options: [
					{ name: 'Credits', value: 'credits' },
					{ name: 'Percent of the Plan', value: 'percent' },
				],
				description: 'Whether the limit is a number of credits or a share of the plan',
			}),
			'credits',
		),
	},
	({ remainingBelow, remainingUnit }, reject) => {
		if (remainingUnit === 'percent' && remainingBelow > 100) {
			reject('must be 100 or less in percent of the plan', 'remainingBelow');
		}
	},
);

/** Polls the remaining credits of the team. */
export const creditsWatch = watch({
	name: 'Credits',
	value: 'credits',
	description: 'Remaining credits fall below a limit; free',
	action: 'On low credits',
	request,
	settings: [],
	async check({ remainingBelow, remainingUnit }, state, context) {
		const credits = await teamCredits(context);
		const { remainingCredits, planCredits } = credits;
		const isShare = remainingUnit === 'percent';
		if (typeof remainingCredits !== 'number' || (isShare && typeof planCredits !== 'number')) {
			throw missingInResponse(isShare ? `the plan's credits` : 'the credits', context.errorSource);
		}
		const limit = isShare ? (remainingBelow / 100) * Number(planCredits) : remainingBelow;
		const isLow = remainingCredits < limit;
		const condition = `${remainingBelow} ${remainingUnit}`;
		const before = state?.condition === condition ? state : undefined;
		const checkedAt = context.now.toISOString();
		const json = {
			...credits,
			change: isLow ? 'low' : 'unchanged',
			limit,
			current: remainingCredits,
			previous: before?.remaining ?? null,
			checkedAt,
			previousCheckAt: before?.checkedAt ?? null,
		};
		const isReturned = context.isManual || (isLow && before?.isLow !== true);
		return {
			found: isReturned ? [{ id: checkedAt, result: { json } }] : [],
			nextState: { condition, isLow, remaining: remainingCredits, checkedAt },
			checked: `${remainingCredits} remaining credits`,
		};
	},
});
