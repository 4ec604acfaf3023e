import { z } from 'zod/v4';

import { day, filled, profile, refuse, stamps, strict, whole } from './fields.cjs';

const name = filled.max(200);
const largestOptions = 256 * 1024;

const toolCall = strict({
	provider: name,
	capability: name,
	version: z
		.string()
		.max(128)
		.regex(/^\d+\.\d+\.\d+(?:[-+].+)?$/, 'Must be a semantic version')
		.optional(),
	options: z
		.record(z.string(), z.unknown())
		.refine(
			(value) => Buffer.byteLength(JSON.stringify(value)) <= largestOptions,
			'Must be 256 KB or smaller',
		)
		.optional(),
});
export type ToolCallRequest = z.output<typeof toolCall>;

const longestExecution = 50_000;

/** Body of `POST /scrape` that runs tools: no address, no scrape option. */
export const toolCallsRequest = strict({
	alexandria: z.union([
		toolCall.transform((call) => [call]),
		z.array(toolCall).min(1).max(10, 'At most 10 calls'),
	]),
	timeout: z.number().int().min(1).max(longestExecution).default(longestExecution),
	...stamps,
});

export const historyQuery = strict({ byApiKey: z.boolean().default(false) });

const activities =
	'scrape crawl batch_scrape search extract llmstxt deep_research map agent alexandria browser interact';

/** Query string of `GET /team/activity`; the endpoints are those of the August 2026 document, and data tools. */
export const activityQuery = strict({
	endpoint: z.enum(activities.split(' ')).optional(),
	limit: whole(1, 100).default(50),
	cursor: z.string().min(1).optional(),
});

const lifetimes = {
	/** The server source's default; the older documentation says 300. */
	ttl: z.number().int().min(30).max(3600).default(600),
	activityTtl: z.number().int().min(10).max(3600).default(300),
};

const code = z
	.string()
	.min(1)
	.refine((text) => Buffer.byteLength(text) <= 100_000, 'At most 100 000 bytes');

const execution = {
	language: z.enum(['python', 'node', 'bash']).default('node'),
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

export const sessionQuery = strict({
	status: z.enum(['active', 'destroyed', 'error']).optional(),
});

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
	if ((given ?? prompt) === undefined) refuse(check, 'Either code or prompt is required', 'code');
});
export type InteractRequest = z.output<typeof interactRequest>;

const names = z.array(z.string().min(1)).min(1);
const origin = { origin: z.string().optional(), integration: z.string().optional() };

export const paperSearch = strict({
	query: filled,
	k: whole(1, 500).default(40),
	authors: names.optional(),
	categories: names.optional(),
	from: day.optional(),
	to: day.optional(),
	...origin,
});

export const paperRead = strict({
	query: filled.optional(),
	k: whole(1, 50).optional(),
	...origin,
});

export const paperSimilar = strict({
	intent: filled,
	mode: z.enum(['similar', 'citers', 'references']).default('similar'),
	k: whole(1, 500).default(40),
	rerank: z.boolean().default(true),
	// With the paper itself at most ten seeds.
	anchor: names.max(9).optional(),
	...origin,
});
