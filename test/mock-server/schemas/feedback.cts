import { z } from 'zod/v4';

import { refuse, stamps, strict } from './body.cjs';
import { wholeUrl } from './fields.cjs';

const address = wholeUrl.refine((text) => text.length <= 2048, 'Must be a valid http(s) URL');

const missing = strict({
	topic: z.string().min(1).max(200),
	description: z.string().max(2000).optional(),
});

const signals = strict({
	rating: z.enum(['good', 'bad', 'partial']),
	valuableSources: z
		.array(strict({ url: address, reason: z.string().max(1000).optional() }))
		.max(50)
		.optional(),
	missingContent: z.array(missing).max(20).optional(),
	querySuggestions: z.string().max(2000).optional(),
});

const evidence = {
	good: ['valuableSources'],
	partial: ['valuableSources', 'missingContent'],
	bad: ['missingContent', 'querySuggestions'],
} as const;

/** What a rating of a search has to rest on. */
function checkEvidence(report: z.output<typeof signals>, check: z.RefinementCtx): void {
	const names = evidence[report.rating];
	if (names.some((name) => report[name]?.length)) return;
	refuse(check, `A ${report.rating} rating needs ${names.join(' or ')}`, names[0]);
}

export const searchFeedback = signals.extend(stamps).superRefine(checkEvidence);

const slugs = z
	.array(
		z
			.string()
			.regex(/^[a-z0-9][a-z0-9_-]*$/, 'Lower case letters, digits, _ and -')
			.max(80),
	)
	.max(20);
const largestMetadata = 8 * 1024;

export const endpointFeedback = strict({
	...signals.shape,
	missingContent: z.array(missing).max(50).optional(),
	endpoint: z.enum(['search', 'scrape', 'parse', 'map']),
	jobId: z.string().uuid(),
	issues: slugs.optional(),
	tags: slugs.optional(),
	note: z.string().max(4000).optional(),
	url: address.optional(),
	pageNumbers: z.array(z.number().int().min(1)).max(100).optional(),
	metadata: z
		.record(z.string(), z.unknown())
		.refine(
			(value) => Buffer.byteLength(JSON.stringify(value)) <= largestMetadata,
			'Must be 8 KB or smaller',
		)
		.optional(),
	...stamps,
}).superRefine((report, check) => {
	if (report.endpoint === 'search') return checkEvidence(report, check);
	const { issues, note, valuableSources, missingContent, querySuggestions, url, pageNumbers } =
		report;
	const given = [issues, note, valuableSources, missingContent, querySuggestions, url, pageNumbers];
	if (given.some((signal) => signal?.length)) return;
	refuse(check, 'At least one signal besides the rating');
});
