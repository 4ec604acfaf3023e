import { z } from 'zod';

import { stamps, strict } from './body.cjs';
import { auditMetadata, location, threatProtection, url } from './fields.cjs';
import { patterns } from './paths.cjs';

/** Body of `POST /map`. */
export const mapRequest = strict({
	url,
	search: z.string().optional(),
	sitemap: z.enum(['include', 'skip', 'only']).default('include'),
	includeSubdomains: z.boolean().default(true),
	ignoreQueryParameters: z.boolean().default(true),
	ignoreCache: z.boolean().optional(),
	limit: z.number().int().min(1).max(100_000).default(5000),
	timeout: z.number().int().positive().optional(),
	location: location.optional(),
	headers: z.record(z.string()).optional(),
	includePaths: patterns.default([]),
	excludePaths: patterns.default([]),
	filterByPath: z.boolean().default(true),
	useIndex: z.boolean().optional(),
	allowExternalLinks: z.boolean().default(false),
	threatProtection: threatProtection.optional(),
	auditMetadata: auditMetadata.optional(),
	...stamps,
});
export type MapRequest = z.output<typeof mapRequest>;
