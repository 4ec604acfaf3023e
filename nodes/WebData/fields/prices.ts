import { pluralize } from '../../runtime/values/text';

const price = (credits: number, of: string) => ({ credits, of });

/**
 * The service's prices, each once, as of autumn 2026, and what each is of, for docs/budget.md (https://docs.firecrawl.dev/billing; those of
 * a page as in apps/api/src/lib/scrape-billing.ts of https://github.com/firecrawl/firecrawl).
 */
export const prices = {
	page: price(1, 'Scraped page, regardless of its HTTP status'),
	lockdown: price(4, 'Lockdown (*Request (JSON)*), added'),
	json: price(4, '*JSON*, or *Change Tracking* with the mode JSON: once, added'),
	injectionCheck: price(4, 'Check for prompt injection with a verdict, added'),
	question: price(4, '*Question*: once, added'),
	highlights: price(4, '*Highlights*, added'),
	audio: price(4, '*Audio*, added'),
	video: price(4, '*Video*, added'),
	xPage: price(29, 'Profile or post on x.com or twitter.com, added'),
	zeroDataRetention: price(1, '*Zero Data Retention*, added; the plan may name another price'),
	pdfPage: price(1, 'Page of a PDF after the first, added'),
	redaction: price(4, '*Redact Personal Data*, added, also for each PDF page after the first'),
	unblocked: price(4, 'Page of a blocked site that is unblocked for the team, added'),
	threatScan: price(2, 'Threat protection in the mode Normal, for each URL'),
	map: price(1, 'Map'),
	tenResults: price(2, 'Every 10 results of a search, rounded up'),
	tenResultsZdr: price(10, 'The same with zero data retention'),
	agentLimit: price(
		2_500,
		'Agent run: five free a day, then by effort; without *Max Credits per Execution* at most',
	),
	codeMinute: price(2, 'Minute of a browser session, at least one; by the second'),
	promptMinute: price(7, 'The same once a prompt has been used in it'),
	judge: price(1, 'Judged change or search result of a monitor, besides the pages of its checks'),
} satisfies Record<string, ReturnType<typeof price>>;

type PriceName = keyof typeof prices;

/** A price as text. */
export const costOf = (name: PriceName): string => pluralize(prices[name].credits, 'credit');

/** A price as text, with a plus sign. */
export const more = (name: PriceName): string => `+${costOf(name)}`;
