import { z } from 'zod';

import { recordTypes } from '../developer.cjs';
import { stamps, strict } from './body.cjs';
import { flag, list, whole } from './query.cjs';

const query = z.string().refine((text) => text.trim() !== '', 'Must not be blank');
const types = z.array(z.enum(recordTypes)).min(1);
const repos = z
	.array(z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'Expected owner/name'))
	.min(1)
	.max(20);
const sources = z.array(z.string().min(1).max(512)).min(1).max(20);
const topics = z.array(z.string().min(1)).min(1).max(8);
const name = z.string().min(1);

interface Between {
	types?: string[];
	repos?: string[];
	sources?: string[];
	min_stars?: number;
	max_stars?: number;
}

/** Rules between the filters, the same for both methods. */
function rules(
	{ types, repos, sources, min_stars = 0, max_stars = Infinity }: Between,
	check: z.RefinementCtx,
): void {
	const refuse = (message: string, field: string): void =>
		check.addIssue({ code: 'custom', message, path: [field] });
	if (repos && types && types.every((type) => type === 'doc')) {
		refuse('repos needs a repository type in types', 'repos');
	}
	if (sources && types && !types.includes('doc')) refuse('sources needs doc in types', 'sources');
	if (min_stars > max_stars) refuse('min_stars is above max_stars', 'min_stars');
}

/** Body of `POST /search/developer`: lists are arrays; one topic may be a string. */
export const developerBody = strict({
	query,
	k: z.number().int().min(1).max(100).default(10),
	types: types.optional(),
	repos: repos.optional(),
	sources: sources.optional(),
	passages: z.number().int().min(1).max(5).default(1),
	language: name.optional(),
	license: name.optional(),
	topic: z.union([name.transform((topic) => [topic]), topics]).optional(),
	min_stars: z.number().int().nonnegative().optional(),
	max_stars: z.number().int().nonnegative().optional(),
	archived: z.boolean().optional(),
	fork: z.boolean().optional(),
	skills: z.literal('only').optional(),
	...stamps,
}).superRefine(rules);
export type DeveloperRequest = z.output<typeof developerBody>;

const count = whole(0, Number.MAX_SAFE_INTEGER);

/** Query string of `GET /search/developer`: lists repeated or comma-joined. */
export const developerQuery = strict({
	query,
	k: whole(1, 100).default('10'),
	types: list.pipe(types).optional(),
	repos: list.pipe(repos).optional(),
	sources: list.pipe(sources).optional(),
	passages: whole(1, 5).default('1'),
	language: name.optional(),
	license: name.optional(),
	topic: list.pipe(topics).optional(),
	min_stars: count.optional(),
	max_stars: count.optional(),
	archived: flag.optional(),
	fork: flag.optional(),
	skills: z.literal('only').optional(),
	...stamps,
}).superRefine(rules);

/** Body of `POST /search/gov`. */
export const governmentBody = strict({
	query,
	k: z.number().int().min(1).max(100).default(10),
	...stamps,
});
export type GovernmentRequest = z.output<typeof governmentBody>;

/** Query string of `GET /search/gov`. */
export const governmentQuery = strict({ query, k: whole(1, 100).default('10'), ...stamps });
