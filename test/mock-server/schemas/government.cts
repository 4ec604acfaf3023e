import { z } from 'zod';

import { stamps, strict } from './body.cjs';
import { whole } from './query.cjs';

const query = z.string().refine((text) => text.trim() !== '', 'Must not be blank');

/** Body of `POST /search/gov`. */
export const governmentBody = strict({
	query,
	k: z.number().int().min(1).max(100).default(10),
	...stamps,
});
export type GovernmentRequest = z.output<typeof governmentBody>;

/** Query string of `GET /search/gov`. */
export const governmentQuery = strict({ query, k: whole(1, 100).default('10'), ...stamps });
