import { z } from 'zod/v4';

import { parseBody, stamps, strict } from './body.cjs';
import { auditMetadata, threatProtection, url } from './fields.cjs';
import { agentSchema } from './jsonSchema.cjs';
import { webhookConfig } from './webhook.cjs';

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
	/** Which paid tools of third parties it may call: none here. */
	exchange: z.record(z.string(), z.unknown()).optional(),
	...stamps,
});
export type AgentRequest = z.output<typeof agentBody>;

/** Reads the body, or throws the 400. */
export const parseAgent = (body: unknown): AgentRequest => parseBody(agentBody, body);
