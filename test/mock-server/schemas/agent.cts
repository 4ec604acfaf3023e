import { z } from 'zod/v4';

import { parseBody, refuse, stamps, strict } from './body.cjs';
import { auditMetadata, threatProtection, url } from './fields.cjs';
import { agentSchema } from './jsonSchema.cjs';
import { webhookConfig } from './webhook.cjs';

/** `exchange` of a run: which paid tools of third parties it may call. */
const exchange = strict({
	enabled: z.boolean().optional(),
	toolkits: z.array(z.string().min(1)).max(5).optional(),
	maxCalls: z.number().int().min(1).max(30).optional(),
	requireApproval: z.boolean().optional(),
	approve: strict({
		approvalId: z.string().uuid(),
		callIds: z.array(z.string().min(1)).optional(),
		always: z.boolean().optional(),
	}).optional(),
	decline: strict({ approvalId: z.string().uuid() }).optional(),
	onTermsRequired: z.enum(['skip', 'ask']).optional(),
});
export type ExchangeRequest = z.output<typeof exchange>;

const agentBody = strict({
	prompt: z.string().min(1).max(10_000),
	urls: z.array(url).optional(),
	schema: agentSchema.optional(),
	maxCredits: z.number().positive().optional(),
	strictConstrainToURLs: z.boolean().optional(),
	model: z.enum(['spark-1-pro', 'spark-1-mini', 'spark-2']).optional(),
	effort: z.enum(['low', 'medium', 'high']).optional(),
	webhook: webhookConfig(['started', 'action', 'completed', 'failed', 'cancelled']).optional(),
	threatProtection: threatProtection.optional(),
	auditMetadata: auditMetadata.optional(),
	threadId: z.string().uuid().optional(),
	mode: z.enum(['extract', 'chat']).optional(),
	exchange: exchange.optional(),
	...stamps,
}).superRefine(({ exchange: options, mode, threadId }, check) => {
	const { approve, decline, requireApproval } = options ?? {};
	if (approve && decline) {
		refuse(check, 'approve and decline exclude each other', 'exchange', 'decline');
	}
	if ((approve || decline) && !threadId) {
		refuse(check, 'approve and decline need the threadId of the run that asked', 'threadId');
	}
	if (requireApproval && mode !== 'chat') refuse(check, 'requireApproval needs mode chat', 'mode');
});
export type AgentRequest = z.output<typeof agentBody>;

/** Reads the body, or throws the 400. */
export const parseAgent = (body: unknown): AgentRequest => parseBody(agentBody, body);
