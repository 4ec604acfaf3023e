import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { fingerprint } from '../runtime/values/seenSet';
import { fieldOf } from '../runtime/values/record';

/** Says of a webhook that this node set it, so that it never removes what it did not make. */
export const registrationMark = { own: 'created by n8n', attached: 'attached by n8n' };

/** Whether the trigger made the monitor, or only had its calls sent here. */
export type RegistrationKind = keyof typeof registrationMark;

/** Names the trigger: its workflow, its node, and whether the editor listens for a test event. */
export function triggerKey(context: IHookFunctions | IWebhookFunctions): string {
	const { id, webhookId } = context.getNode();
	const use = context.getMode() === 'manual' ? 'test' : 'production';
	return fingerprint(`${context.getWorkflow().id} ${webhookId ?? id} ${use}`, 22);
}

/** The metadata of a webhook that a trigger sets. Every delivery brings it back, signed with the rest. */
export const markOf = (kind: RegistrationKind, trigger: string) => ({
	registration: registrationMark[kind],
	trigger,
});

/** Whether a webhook's metadata is that of one that this trigger set; another's delivery starts nothing here. */
export const isMarked = (metadata: unknown, trigger: string): boolean =>
	fieldOf(metadata, 'trigger') === trigger &&
	Object.values(registrationMark).some((words) => words === fieldOf(metadata, 'registration'));
