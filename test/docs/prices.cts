import { prices } from '../../nodes/WebData/fields/prices';

/** The prices that the node reckons with, in Markdown: docs/prices.md. */
export const priceList = (): string =>
	`${[
		'# What does the service charge?',
		"The prices that all descriptions name, in credits, as of November 2026 (<https://docs.firecrawl.dev/billing> and `apps/api/src/lib/scrape-billing.ts` of [firecrawl/firecrawl](https://github.com/firecrawl/firecrawl)). They are the service's and may change. Written by `npm run docs` from `nodes/WebData/fields/prices.ts`. What the node cannot know before is in [budget.md](budget.md#what-is-not-counted-or-only-afterwards).",
		[
			'| What | Credits |',
			'|---|---|',
			...Object.values(prices).map(
				({ of, credits }) => `| ${of} | ${credits.toLocaleString('en')} |`,
			),
		].join('\n'),
		'Anything else is free: polls, lists, previews, cancellations, account, papers, feedback, and requests that are refused.',
	].join('\n\n')}\n`;
