import { z } from 'zod/v4';

import { day, refuse, strict, whole } from './body.cjs';

const text = z.string().refine((value) => value.trim() !== '', 'Must not be blank');
const name = z.string().min(1);
const names = z.array(name).min(1);
const origin = { origin: z.string().optional(), integration: z.string().optional() };

export const paperSearch = strict({
	query: text,
	k: whole(1, 500).default(40),
	authors: names.optional(),
	categories: names.optional(),
	from: day.optional(),
	to: day.optional(),
	...origin,
});
export type PaperSearch = z.output<typeof paperSearch>;

export const paperRead = strict({
	query: text.optional(),
	k: whole(1, 50).optional(),
	...origin,
}).superRefine(({ query, k }, check) => {
	if (k !== undefined && query === undefined) refuse(check, 'k needs a query', 'k');
});

export const paperSimilar = strict({
	intent: text,
	mode: z.enum(['similar', 'citers', 'references']).default('similar'),
	k: whole(1, 500).default(40),
	rerank: z.boolean().default(true),
	// With the paper itself at most ten seeds.
	anchor: names.max(9).optional(),
	...origin,
});
export type PaperSimilar = z.output<typeof paperSimilar>;
