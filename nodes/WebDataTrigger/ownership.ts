import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { fingerprint } from '../runtime/values/seenSet';
import { fieldOf } from '../runtime/values/record';

/** Label of webhooks that this node set, so that it never removes others. */
export const registrationLabel = 'created by n8n';

/** Identifies the trigger: workflow, node, and whether the editor listens for a test event. */
export function triggerKey(context: IHookFunctions | IWebhookFunctions): string {
	const { id, webhookId } = context.getNode();
	const use = context.getMode() === 'manual' ? 'test' : 'production';
	return fingerprint(`${context.getWorkflow().id} ${webhookId ?? id} ${use}`, 22);
}

/** The metadata of a webhook that a trigger sets. Every event returns it, included in the signature. */
export const ownershipMetadata = (trigger: string) => ({
	registration: registrationLabel,
	trigger,
});

/** Whether a webhook's metadata is from this trigger; events of other webhooks start nothing. */
export const hasOwnershipMetadata = (metadata: unknown, trigger: string): boolean =>
	fieldOf(metadata, 'trigger') === trigger &&
	fieldOf(metadata, 'registration') === registrationLabel;
