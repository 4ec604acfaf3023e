import { z } from 'zod';

import type { Context } from '../context.cjs';
import { notFound } from '../errors.cjs';
import type { OpenEndpoint } from '../pipeline.cjs';
import { parseBody, strict } from '../schemas/body.cjs';

const repeat = strict({
	webhookId: z.string(),
	signature: z.enum(['valid', 'missing', 'wrong']).default('valid'),
});
const release = strict({ webhookIds: z.array(z.string()) });
const settings = strict({
	refusePrivateAddresses: z.boolean().optional(),
	held: z.boolean().optional(),
});

/** `/_control/webhooks…`: the log of deliveries; deliveries once more, signed or not; and their order. */
export function webhookControlEndpoints({ webhooks }: Context): OpenEndpoint[] {
	const mustKnow = (webhookId: string): void => {
		const known = webhooks.deliveries.some((each) => each.webhookId === webhookId);
		if (!known) throw notFound('No such delivery');
	};
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
				mustKnow(webhookId);
				return { body: await webhooks.again(webhookId, signature) };
			},
		},
		{
			method: 'POST',
			path: '/_control/webhooks/release',
			async open({ body }) {
				const { webhookIds } = parseBody(release, body);
				webhookIds.forEach(mustKnow);
				await webhooks.release(webhookIds);
				return { body: { ok: true } };
			},
		},
		{
			method: 'POST',
			path: '/_control/webhooks/settings',
			open({ body }) {
				const { refusePrivateAddresses, held } = parseBody(settings, body);
				webhooks.refusePrivateAddresses = refusePrivateAddresses ?? webhooks.refusePrivateAddresses;
				webhooks.held = held ?? webhooks.held;
				return { body: { ok: true } };
			},
		},
	];
}
