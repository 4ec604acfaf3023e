import { z } from 'zod/v4';

import { optional, profile, refuse, stamps, strict, whole } from './fields.cjs';

/** Times that a session lasts, in seconds. */
const lifetimes = {
	/** The server source's default; the older documentation says 300. */
	ttl: whole(30, 3600).default(600),
	activityTtl: whole(10, 3600).default(300),
};

const code = z
	.string()
	.min(1)
	.refine((text) => Buffer.byteLength(text) <= 100_000, 'At most 100 000 bytes');

const execution = {
	language: z.enum(['python', 'node', 'bash']).default('node'),
	timeout: whole(1, 300).default(30),
	origin: stamps.origin,
};

/** Body of `POST /interact`. */
export const sessionRequest = strict({
	...lifetimes,
	streamWebView: z.boolean().default(true),
	recordSession: z.boolean().default(true),
	profile: profile.optional(),
	...stamps,
});

export const sessionQuery = optional({ status: z.enum(['active', 'destroyed', 'error']) });

export const executeRequest = strict({ code, ...execution });
export type ExecuteRequest = z.output<typeof executeRequest>;

/** Body of `POST /scrape/{jobId}/interact`: code, or a prompt; with both the code wins. */
export const interactRequest = strict({
	...execution,
	...lifetimes,
	code: code.optional(),
	prompt: z.string().min(1).max(10_000).optional(),
	existingSessionId: z.uuid().optional(),
	integration: stamps.integration,
}).superRefine(({ code: given, prompt }, check) => {
	if ((given ?? prompt) === undefined) refuse(check, 'Either code or prompt is required', 'code');
});
export type InteractRequest = z.output<typeof interactRequest>;
