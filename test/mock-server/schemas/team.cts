import { z } from 'zod';

import { strict } from './body.cjs';
import { flag, whole } from './query.cjs';

/** Query string of `GET /team/credit-usage/historical`. */
export const historyQuery = strict({ byApiKey: flag.default('false') });

/** Query string of `GET /team/activity`; the endpoints are those of the August 2026 document, and data tools. */
export const activityQuery = strict({
	endpoint: z
		.enum([
			'scrape',
			'crawl',
			'batch_scrape',
			'search',
			'extract',
			'llmstxt',
			'deep_research',
			'map',
			'agent',
			'alexandria',
			'browser',
			'interact',
		])
		.optional(),
	limit: whole(1, 100).default('50'),
	cursor: z.string().min(1).optional(),
});
