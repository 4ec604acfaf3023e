import { z } from 'zod';

import { stamps, strict } from './body.cjs';
import { url } from './fields.cjs';
import { checkWaits, scrapeOptionFields } from './scrapeOptions.cjs';

/** Body of `POST /scrape`: the options at top level. */
export const scrapeRequest = strict({
	url,
	...scrapeOptionFields,
	zeroDataRetention: z.boolean().optional(),
	domainTools: z.boolean().optional(),
	toolDetail: z.enum(['compact', 'summary', 'full']).optional(),
	...stamps,
}).superRefine(checkWaits);
export type ScrapeRequest = z.output<typeof scrapeRequest>;
