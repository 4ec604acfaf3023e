import { z } from 'zod';

import type { Context } from '../context.cjs';
import { notFound } from '../errors.cjs';
import type { OpenEndpoint } from '../pipeline.cjs';
import { parseBody, strict } from '../schemas/body.cjs';

const repeat = strict({
	webhookId: z.string(),
	signature: z.enum(['valid', 'missing', 'wrong']).default('valid'),
});
const settings = strict({ refusePrivateAddresses: z.boolean() });

/** `/_control/webhooks…`: the log of deliveries, and deliveries once more, signed or not. */
export function webhookControlEndpoints({ webhooks }: Context): OpenEndpoint[] {
	return [
		{
			method: 'GET',
			path: '/_control/webhooks',
			open: () => ({ body: { deliveries: webhooks.deliveries } }),
		},
		{
			method: 'POST',
			path: '/_control/webhooks/again',
			async open({ body }) {
				const { webhookId, signature } = parseBody(repeat, body);
				const known = webhooks.deliveries.some((each) => each.webhookId === webhookId);
				if (!known) throw notFound('No such delivery');
				return { body: await webhooks.again(webhookId, signature) };
			},
		},
		{
			method: 'POST',
			path: '/_control/webhooks/settings',
			open({ body }) {
				webhooks.refusePrivateAddresses = parseBody(settings, body).refusePrivateAddresses;
				return { body: { ok: true } };
			},
		},
	];
}
