import { z } from 'zod';

import { stamps, strict } from './body.cjs';

const name = z
	.string()
	.max(200)
	.refine((text) => text.trim() !== '', 'Must not be blank');
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
		.record(z.unknown())
		.refine(
			(value) => Buffer.byteLength(JSON.stringify(value)) <= largestOptions,
			'Must be 256 KB or smaller',
		)
		.optional(),
});
export type ToolCallRequest = z.output<typeof toolCall>;

/** The longest that an execution may take, in milliseconds. */
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

/** What `x-request-id` may look like. */
export const requestIdPattern = /^[A-Za-z0-9._:-]{1,128}$/;

const some = z.array(z.string().min(1)).min(1).max(50);

/** Options of the catalogue's own capability `find-tools`. */
export const findToolsOptions = strict({
	query: z.string().max(2000).optional(),
	urls: z.array(z.string().min(1)).min(1).max(100).optional(),
	providers: some.optional(),
	categories: some.optional(),
	groups: some.optional(),
	capabilities: some.optional(),
	level: z.enum(['categories', 'providers', 'groups', 'tools']).optional(),
	expand: z.array(z.enum(['options', 'response', 'examples'])).optional(),
	limit: z.number().int().min(1).max(100).default(20),
	offset: z.number().int().min(0).default(0),
});
export type FindTools = z.output<typeof findToolsOptions>;
