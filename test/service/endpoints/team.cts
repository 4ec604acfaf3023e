import { balance } from '../access.cjs';
import type { Context } from '../context.cjs';
import type { ApiEndpoint } from '../pipeline.cjs';

/** `/team/*` (addendum section 12): reachable with every key, whatever its scopes. */
export function teamEndpoints(context: Context): ApiEndpoint[] {
	return [
		{
			method: 'GET',
			path: '/v2/team/credit-usage',
			rate: 'team',
			handle({ caller }) {
				const now = new Date(context.clock.now());
				const month = (offset: number): string =>
					new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString();
				return {
					body: {
						success: true,
						data: {
							remainingCredits: balance(context, caller),
							planCredits: caller.team.credits,
							billingPeriodStart: month(0),
							billingPeriodEnd: month(1),
						},
					},
				};
			},
		},
	];
}
