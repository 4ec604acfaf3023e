import { z } from 'zod';

import { stamps, strict } from './body.cjs';
import { profile } from './fields.cjs';

const lifetimes = {
	ttl: z.number().int().min(30).max(3600).optional(),
	activityTtl: z.number().int().min(10).max(3600).optional(),
};

const code = z
	.string()
	.min(1)
	.refine((text) => Buffer.byteLength(text) <= 100_000, 'At most 100 000 bytes');

const execution = {
	language: z.enum(['node', 'python', 'bash']).default('node'),
	/** Seconds. */
	timeout: z.number().int().min(1).max(300).default(30),
	origin: stamps.origin,
};

/** Body of `POST /interact`. Times are seconds. */
export const sessionRequest = strict({
	...lifetimes,
	streamWebView: z.boolean().default(true),
	recordSession: z.boolean().default(true),
	profile: profile.optional(),
	...stamps,
});

/** Query of `GET /interact`. */
export const sessionQuery = strict({
	status: z.enum(['active', 'destroyed', 'error']).optional(),
});

/** Body of `POST /interact/{id}/execute`. */
export const executeRequest = strict({ code, ...execution });
export type ExecuteRequest = z.output<typeof executeRequest>;

/** Body of `POST /scrape/{jobId}/interact`: code, or a prompt; with both the code wins. */
export const interactRequest = strict({
	code: code.optional(),
	prompt: z.string().min(1).max(10_000).optional(),
	...execution,
	existingSessionId: z.string().uuid().optional(),
	...lifetimes,
	integration: stamps.integration,
}).superRefine(({ code: given, prompt }, check) => {
	if (given !== undefined || prompt !== undefined) return;
	check.addIssue({ code: 'custom', message: 'Either code or prompt is required', path: ['code'] });
});
export type InteractRequest = z.output<typeof interactRequest>;
