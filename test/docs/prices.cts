import { prices } from '../../nodes/WebData/fields/prices';

/** The prices that the node reckons with, in Markdown: docs/prices.md. */
export const priceList = (): string =>
	`${[
		'# What does the service charge?',
		"The prices that *Estimate Only*, the limits and all descriptions reckon with, in credits, as read in November 2026. They are the service's and may change. Paths are those of [firecrawl/firecrawl](https://github.com/firecrawl/firecrawl). Written by `npm run docs` from `nodes/WebData/fields/prices.ts`. What the node cannot know before is in [budget.md](budget.md#what-is-not-counted-or-only-afterwards).",
		[
			'| What | Credits | Source |',
			'|---|---|---|',
			...Object.values(prices).map(
				({ of, credits, source }) =>
					`| ${of} | ${credits.toLocaleString('en')} | ${source.startsWith('https:') ? `<${source}>` : `\`${source}\``} |`,
			),
		].join('\n'),
		'Anything else is free: polls, lists, previews, cancellations, account, papers, feedback, and requests that are refused.',
	].join('\n\n')}\n`;
