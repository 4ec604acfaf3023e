import { z } from 'zod/v4';

import { recordTypes } from '../developer.cjs';
import { day, refuse, stamps, strict, whole } from './body.cjs';

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

const repo = z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'Expected owner/name');

/** Body and query string of `/search/developer`. One topic may be a text. */
export const developerRequest = strict({
	query: text,
	k: whole(1, 100).default(10),
	types: z.array(z.enum(recordTypes)).min(1).optional(),
	repos: z.array(repo).min(1).max(20).optional(),
	sources: z.array(name.max(512)).min(1).max(20).optional(),
	passages: whole(1, 5).default(1),
	language: name.optional(),
	license: name.optional(),
	topic: z.preprocess((given) => [given].flat(), names.max(8)).optional(),
	min_stars: whole(0).optional(),
	max_stars: whole(0).optional(),
	archived: z.boolean().optional(),
	fork: z.boolean().optional(),
	skills: z.literal('only').optional(),
	...stamps,
}).superRefine(({ types, repos, sources, min_stars = 0, max_stars = Infinity }, check) => {
	if (repos && types?.every((type) => type === 'doc')) {
		refuse(check, 'repos needs a repository type in types', 'repos');
	}
	if (sources && types && !types.includes('doc')) {
		refuse(check, 'sources needs doc in types', 'sources');
	}
	if (min_stars > max_stars) refuse(check, 'min_stars is above max_stars', 'min_stars');
});
export type DeveloperRequest = z.output<typeof developerRequest>;

export const governmentRequest = strict({ query: text, k: whole(1, 100).default(10), ...stamps });
