import { z } from 'zod';

import { strict } from './body.cjs';
import { day, flag, list, whole } from './query.cjs';

const text = z.string().refine((value) => value.trim() !== '', 'Must not be blank');
const origin = { origin: z.string().optional(), integration: z.string().optional() };

/** Query strings of the paper endpoints. */
export const paperSearch = strict({
	query: text,
	k: whole(1, 500).default('40'),
	authors: list.optional(),
	categories: list.optional(),
	from: day.optional(),
	to: day.optional(),
	...origin,
});

export const paperRead = strict({
	query: text.optional(),
	k: whole(1, 50).optional(),
	...origin,
}).superRefine(({ query, k }, check) => {
	if (k !== undefined && query === undefined) {
		check.addIssue({ code: 'custom', message: 'k needs a query', path: ['k'] });
	}
});

export const paperSimilar = strict({
	intent: text,
	mode: z.enum(['similar', 'citers', 'references']).default('similar'),
	k: whole(1, 500).default('40'),
	rerank: flag.default('true'),
	// With the paper itself at most ten seeds.
	anchor: list.pipe(z.array(z.string()).max(9)).optional(),
	...origin,
});
