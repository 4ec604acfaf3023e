import { priceOfError } from '../../runtime/api/apiErrors';
import { isOn } from '../../runtime/form/schema';
import { canonicalUrl, parseUrl } from '../../runtime/values/parseUrl';
import { pluralize } from '../../runtime/values/text';
import { sum } from '../../runtime/values/numbers';
import { fixedPrice, openPrice, price, sumOf, upTo, type Price } from '../../runtime/limits/price';

/** A line of the price list. */
interface PriceLine {
	credits: number;
	/** The thing or event that costs the credits. */
	of: string;
	source: string;
}

const line = (credits: number, of: string, source: string): PriceLine => ({ credits, of, source });

/** Server code of autumn 2026, in https://github.com/firecrawl/firecrawl. */
const scrapeBilling = 'apps/api/src/lib/scrape-billing.ts';
const browserBilling = 'apps/api/src/lib/browser-billing.ts';
const searchDocs = 'https://docs.firecrawl.dev/features/search';
const monitorDocs = 'https://docs.firecrawl.dev/features/monitoring';
const agentDocs = 'https://docs.firecrawl.dev/features/agent';
const billingDocs = 'https://docs.firecrawl.dev/billing';

/**
 * The service's prices in credits, each once; those of a page in the order of the service's
 * formula.
 */
export const prices = {
	page: line(1, 'Scraped page, regardless of its HTTP status', scrapeBilling),
	lockdown: line(4, '*Lockdown*, added', scrapeBilling),
	json: line(4, '*JSON*, or *Change Tracking* with the mode JSON: once, added', scrapeBilling),
	injectionCheck: line(4, '*Check Prompt Injection* with a verdict, added', scrapeBilling),
	scriptReused: line(3, '`deterministicJson` instead of all above: script reused', scrapeBilling),
	scriptWritten: line(10, '`deterministicJson` instead of all above: new script', scrapeBilling),
	question: line(4, '*Question*, `question` or `query`: once, added', scrapeBilling),
	highlights: line(4, '*Highlights*, added', scrapeBilling),
	audio: line(4, '*Audio*, added', scrapeBilling),
	video: line(4, '*Video*, added', scrapeBilling),
	xPage: line(29, 'Profile or post on x.com or twitter.com, added', scrapeBilling),
	zeroDataRetention: line(
		1,
		'*Zero Data Retention* without *Lockdown*, added; the plan may name another price',
		scrapeBilling,
	),
	pdfPage: line(1, 'Page of a PDF after the first, added', scrapeBilling),
	redaction: line(4, '*Redact Personal Data*, added', scrapeBilling),
	redactedPdfPage: line(4, '*Redact Personal Data* of a PDF page after the first', scrapeBilling),
	unblocked: line(4, 'Page of a blocked site that is unblocked for the team, added', scrapeBilling),
	threatScan: line(2, '*Threat Protection* in the mode Normal, for each URL', scrapeBilling),
	oldStealth: line(
		4,
		'*Proxy* Enhanced or Stealth on servers until August 2026; free since',
		billingDocs,
	),
	lockdownMiss: line(1, 'Failure: *Lockdown* of a page that is not in the cache', scrapeBilling),
	checkedFailure: line(5, 'Failure after a verdict on prompt injection', scrapeBilling),
	map: line(1, 'Map', billingDocs),
	tenResults: line(2, 'Every 10 results of a search, rounded up', searchDocs),
	tenResultsZdr: line(10, 'The same with zero data retention', searchDocs),
	refund: line(1, 'Refunded for the first feedback on a search', searchDocs),
	agentLimit: line(2_500, 'Agent run without *Max Credits*, at most', agentDocs),
	codeMinute: line(2, 'Minute of a browser session, at least one; by the second', browserBilling),
	promptMinute: line(7, 'The same once a prompt has been used in it', browserBilling),
	judge: line(1, 'Judged change or search result of a monitor', monitorDocs),
} satisfies Record<string, PriceLine>;

type PriceName = keyof typeof prices;

/** A price as text. */
export const costOf = (name: PriceName): string => pluralize(prices[name].credits, 'credit');

/** A price as text, with a plus sign. */
export const more = (name: PriceName): string => `+${costOf(name)}`;

/** The options that affect a page's price. */
export interface PricedOptions {
	formats?: Array<{ type: string; checkPromptInjection?: unknown; modes?: unknown }>;
	checkPromptInjection?: unknown;
	lockdown?: boolean;
	parsers?: Array<{ type?: unknown; maxPages?: number }>;
	proxy?: unknown;
	redactPII?: unknown;
	threatProtection?: { mode?: unknown };
	zeroDataRetention?: boolean;
}

/**
 * The kinds of pages by URL that affect the price. A `page` may turn out to be a PDF; a `file` is
 * not one. An `X post` is a profile or post; other URLs of that host (`X page`) may be. Another
 * provider sells a `profile`.
 */
export type PageKind = 'page' | 'file' | 'PDF' | 'X post' | 'X page' | 'profile';

const xHost = /^(?:www\.)?(?:x|twitter|mobile\.twitter)\.com$/;
const xPost = /^\/(?:\w{1,15}\/?$|(?:\w{1,15}|i\/web)\/status(?:es)?\/\d{5})/;
const xReserved =
	/^\/(?:compose|explore|hashtag|home|i|intent|login|logout|messages|notifications|search|settings|share)\/?$/i;
const linkedIn = /(?:^|\.)linkedin\.com$/;

/** The kind of page of a URL or a file name, as far as it shows. */
export function pageKind(given: string): PageKind {
	const url = parseUrl(canonicalUrl(given));
	if (url && xHost.test(url.hostname)) {
		return xPost.test(url.pathname) && !xReserved.test(url.pathname) ? 'X post' : 'X page';
	}
	if (url && linkedIn.test(url.hostname) && /^\/(?:in|company)\/./.test(url.pathname)) {
		return 'profile';
	}
	return /\.pdf(?:$|[?#])/i.test(given) ? 'PDF' : 'page';
}

/** Threat protection of a request. */
type Protection = { mode?: unknown } | undefined;

/** The price of threat scans of URLs. Lists decide without a scan. */
export const scanPrice = (protection: Protection, urls = 1): Price[] =>
	protection && (protection.mode ?? 'normal') === 'normal'
		? [
				price(
					0,
					urls * prices.threatScan.credits,
					`'Threat Protection' up to ${costOf('threatScan')} for each scanned URL, including redirects`,
				),
			]
		: [];

/**
 * A price with threat scans of URLs, which a failure costs, too; after a check for prompt
 * injection, only part of a failure's price is known.
 */
export function scannedPrice(
	base: Price,
	protection: Protection,
	urls: number,
	isChecked = false,
): Price {
	const scans = scanPrice(protection, urls);
	const scanned = sum(scans.map(({ reserved }) => reserved));
	const ofFailure = {
		scan: 0,
		lockdownMiss: prices.lockdownMiss.credits,
		checkedFailure: isChecked ? prices.checkedFailure.credits : 0,
	};
	return {
		...sumOf([base, ...scans]),
		costOfError(code) {
			const failure = priceOfError(code);
			return failure === undefined ? 0 : scanned + ofFailure[failure];
		},
	};
}

/** The price of a PDF's pages after the first; only 'Max Pages' limits their number. */
function furtherPages({ parsers, redactPII }: PricedOptions, kind: PageKind): Price[] {
	const parser = parsers?.find(({ type }) => type === 'pdf');
	if ((kind !== 'page' && kind !== 'PDF') || (parsers && !parser)) return [];
	const each = prices.pdfPage.credits + (redactPII ? prices.redactedPdfPage.credits : 0);
	const text = `${pluralize(each, 'credit')} for each further page of a PDF`;
	if (parser?.maxPages !== undefined) {
		const bound = `${text}, at most ${parser.maxPages} pages by 'Max Pages' of its parser`;
		return [price(0, (parser.maxPages - 1) * each, bound)];
	}
	const unknown = `limited by 'Max Pages' of the PDF parser`;
	return kind === 'PDF'
		? [openPrice(0, 0, `${text}; the number of pages is not known in advance: ${unknown}`)]
		: [
				{
					...fixedPrice(0, `PDFs: ${text}, not included here: ${unknown}`),
					pdfsCostMore: true,
				},
			];
}

/** The price of a scraped page, and of a failed one (`apps/api/src/lib/scrape-billing.ts`). */
export function pagePrice(options: PricedOptions, kind: PageKind = 'page'): Price {
	const { formats = [], lockdown = false, proxy, threatProtection } = options;
	const has = (...types: string[]) => formats.some(({ type }) => types.includes(type));
	const byFields = formats.some(
		({ type, modes }) =>
			type === 'changeTracking' && Array.isArray(modes) && modes.includes('json'),
	);
	const isChecked =
		isOn(options.checkPromptInjection) ||
		formats.some(({ checkPromptInjection }) => isOn(checkPromptInjection));
	const add = (isAdded: unknown, name: PriceName, text: string, isCertain = true): Price[] => {
		const { credits } = prices[name];
		const reason = `${text}${isCertain ? '' : ' up to'} +${credits} per page`;
		return isAdded ? [price(isCertain ? credits : 0, credits, reason)] : [];
	};
	const readsJson = has('json') || byFields;
	const base = has('deterministicJson')
		? [
				price(
					prices.scriptReused.credits,
					prices.scriptWritten.credits,
					`deterministicJson ${prices.scriptReused.credits} per page, or ${prices.scriptWritten.credits} for a new script`,
				),
			]
		: [
				fixedPrice(prices.page.credits, `${costOf('page')} per page`),
				// Servers until August 2026 charged 5 for JSON, with or without Lockdown.
				...add(lockdown, 'lockdown', "'Lockdown'", !readsJson),
				...add(readsJson, 'json', 'JSON'),
				...add(isChecked, 'injectionCheck', "'Check Prompt Injection'", false),
			];
	const page = sumOf([
		...base,
		...add(has('question', 'query'), 'question', 'Question'),
		...add(has('highlights'), 'highlights', 'Highlights'),
		...add(has('audio'), 'audio', 'Audio'),
		...add(has('video'), 'video', 'Video'),
		...add(kind === 'X post' || kind === 'X page', 'xPage', 'X (Twitter)', kind === 'X post'),
		...add(options.zeroDataRetention && !lockdown, 'zeroDataRetention', "'Zero Data Retention'"),
		...furtherPages(options, kind),
		...add(options.redactPII, 'redaction', "'Redact Personal Data'"),
		...add(
			proxy === 'enhanced' || proxy === 'stealth',
			'oldStealth',
			'Older servers: Proxy',
			false,
		),
	]);
	const sold: Price = {
		...openPrice(
			0,
			page.reserved,
			'LinkedIn profiles and companies come from another provider without a published price',
		),
		runsAlone: true,
	};
	// A redirect adds a second URL.
	return scannedPrice(kind === 'profile' ? sold : page, threatProtection, 2, isChecked);
}

/** The price of a map, whose URL is scanned. */
export const mapPrice = (protection?: Protection): Price =>
	scannedPrice(fixedPrice(prices.map.credits, `${costOf('map')} for the map`), protection, 2);

/** The price of pages of X among unknown pages. */
export const xPagesAmong: Price = {
	...fixedPrice(0, `Pages of X (Twitter) cost ${costOf('xPage')} more, not included here`),
	xPagesCostMore: true,
};

/** The maximum price of a job that scrapes pages of one kind. */
export function pagesPrice(count: number, page: Price, noun = 'page'): Price {
	const { reasons, ...bounds } = upTo(count, page);
	const most = `At most ${pluralize(count, noun)}; most failures are free`;
	return { ...bounds, reasons: [most, ...reasons] };
}

/** The maximum price of a job that scrapes URLs. */
export function urlsPrice(urls: string[], options: PricedOptions): Price {
	const kinds = urls.map(pageKind);
	return sumOf(
		[...new Set(kinds)].map((kind) => {
			const count = kinds.filter((each) => each === kind).length;
			// A job scrapes no page that a provider sells.
			const page = pagePrice(options, kind === 'profile' ? 'file' : kind);
			return pagesPrice(count, page, kind === 'profile' ? 'page' : kind);
		}),
	);
}

/**
 * The price of a browser session by its duration in seconds, if known. Its first minute is
 * reserved.
 */
export function sessionPrice(name: 'codeMinute' | 'promptMinute', least: number, seconds?: number) {
	const { credits } = prices[name];
	const perMinute = `${costOf(name)} for each minute of the session, by the second, at least one`;
	if (seconds === undefined) {
		const unknown = "The duration is not known in advance; 'Time to Live' limits it";
		return openPrice(least, credits, perMinute, unknown);
	}
	const most = Math.max(credits, Math.ceil((seconds / 3600) * (60 * credits)));
	return {
		...price(least, most, perMinute, `At most ${seconds} seconds, by 'Time to Live'`),
		reserved: credits,
	};
}

/** The price of results by started tens; nothing without results. */
export const resultsPrice = (
	count: number,
	name: 'tenResults' | 'tenResultsZdr' = 'tenResults',
): Price =>
	price(
		0,
		Math.ceil(count / 10) * prices[name].credits,
		`${costOf(name)} per 10 results, at most ${pluralize(count, 'result')}`,
	);

/** The options that affect the price of a monitor's check. */
export interface PricedMonitor {
	targets: Array<{
		type: string;
		urls?: string[];
		url?: string;
		queries?: string[];
		maxResults?: number;
		crawlOptions?: { limit?: number };
		scrapeOptions?: PricedOptions;
	}>;
	goal?: string;
	judgeEnabled?: boolean;
}

/** Default pages of a monitor's crawl, and results of its search. */
const usualPages = 100;
const usualResults = 10;

/** The price of a monitor: free itself, and its targets' price per check. */
export function monitorPrice({ targets, goal, judgeEnabled = true }: PricedMonitor): Price {
	const judging = goal !== undefined && judgeEnabled ? prices.judge.credits : 0;
	const check = sumOf(
		targets.map(({ type, urls = [], url = '', queries = [], scrapeOptions = {}, ...target }) => {
			if (type === 'search') {
				const { maxResults = usualResults } = target;
				const judged = price(0, maxResults * judging);
				return sumOf([resultsPrice(queries.length * maxResults), judged]);
			}
			const { limit = usualPages } = target.crawlOptions ?? {};
			const count = type === 'scrape' ? urls.length : limit;
			const pages =
				type === 'scrape'
					? urlsPrice(urls, scrapeOptions)
					: pagesPrice(limit, pagePrice(scrapeOptions, pageKind(url)));
			return sumOf([pages, price(0, count * judging)]);
		}),
	);
	const most = check.most === null ? '' : `: at most ${pluralize(check.most, 'credit')}`;
	const each = `Each check costs what its targets cost${most}, until the monitor is paused or deleted`;
	return openPrice(0, 0, each, ...check.reasons);
}

/** The price of a check of a monitor with unknown targets. */
export const checkPrice = openPrice(0, 0, 'A check costs what the targets of the monitor cost');
