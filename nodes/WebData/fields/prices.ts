import { isOn } from '../../runtime/schema/schema';
import { pluralize } from '../../runtime/values/pluralize';
import { fixedPrice, openPrice, price, sumOf, upTo, type Price } from '../../runtime/budget/price';

/** What a model's reading adds to a page, in credits (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
const extraction = 4;

/** The formats that cost more than a page, as the editor calls them. */
const pricedFormats: ReadonlyMap<string, string> = new Map([
	['json', 'JSON'],
	['deterministicJson', 'JSON'],
	['question', 'Question'],
	['highlights', 'Highlights'],
	['query', 'Question'],
	['audio', 'Audio'],
	['video', 'Video'],
]);

/** The options that decide what a page costs. */
export interface PricedOptions {
	formats?: Array<{ type: string; checkPromptInjection?: unknown }>;
	checkPromptInjection?: unknown;
	lockdown?: boolean;
	parsers?: Array<{ type?: unknown; maxPages?: number }>;
	redactPII?: unknown;
	threatProtection?: { mode?: unknown };
	zeroDataRetention?: boolean;
}

/** Whether what is read is a PDF. */
export type IsPdf = 'no' | 'perhaps' | 'yes';

/** Whether an address leads to a PDF: only its ending tells before it is visited. */
export const isPdfAt = (address: string): IsPdf =>
	/\.pdf(?:$|[?#])/i.test(address) ? 'yes' : 'perhaps';

/** What the scan of one address for threats costs; lists decide alone, without it, and cost nothing. */
export const scanPrice = (protection: { mode?: unknown } = {}): Price[] =>
	protection.mode === 'normal' || protection.mode === 'zscaler'
		? [price(0, 2, "'Threat Protection' up to 2 credits for each address that is scanned")]
		: [];

/** What is read, without what the options add: a PDF costs 1 credit for each of its pages, which nobody knows before (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
function basePrice({ lockdown, parsers }: PricedOptions, isPdf: IsPdf): Price {
	if (lockdown)
		return fixedPrice(1 + extraction, "5 credits per page from the cache, by 'Lockdown'");
	const page = fixedPrice(1, '1 credit per page');
	const parser = parsers?.find(({ type }) => type === 'pdf');
	if (isPdf === 'no' || (parsers && !parser)) return page;
	if (parser?.maxPages !== undefined) {
		const each = `1 credit for each page of a PDF, at most ${parser.maxPages} by 'Max Pages' of its parser`;
		return price(1, parser.maxPages, ...page.reasons, each);
	}
	return isPdf === 'yes'
		? openPrice(
				1,
				1,
				"1 credit for each page of a PDF, and how many it has is not known before: 'Max Pages' of the PDF parser bounds it",
			)
		: {
				...page,
				pdfsCostMore: true,
				reasons: [
					...page.reasons,
					"A PDF among them costs 1 credit for each of its pages, which is not counted here: 'Max Pages' of the PDF parser bounds it",
				],
			};
}

/** What a page costs that brings a document. */
export function pagePrice(options: PricedOptions, isPdf: IsPdf = 'perhaps'): Price {
	const { formats = [], redactPII, threatProtection, zeroDataRetention } = options;
	const checks = formats.filter((format) => isOn(format.checkPromptInjection)).length;
	const mostChecks = Math.max(checks, isOn(options.checkPromptInjection) ? 1 : 0);
	return sumOf([
		basePrice(options, isPdf),
		...formats.flatMap(({ type }) => {
			const name = pricedFormats.get(type);
			return name === undefined ? [] : [fixedPrice(extraction, `${name} +4 per page`)];
		}),
		...(mostChecks > 0
			? [price(0, extraction * mostChecks, "'Check Prompt Injection' up to +4 per page")]
			: []),
		...(redactPII ? [fixedPrice(extraction, "'Redact Personal Data' +4 per page")] : []),
		...scanPrice(threatProtection),
		...(zeroDataRetention ? [fixedPrice(1, "'Zero Data Retention' +1 per page")] : []),
	]);
}

/** What a job costs that reads up to so many pages of one kind. */
export function pagesPrice(count: number, page: Price, noun = 'page'): Price {
	const { reasons, ...bounds } = upTo(count, page);
	const most = `At most ${pluralize(count, noun)}; one that cannot be read costs nothing`;
	return { ...bounds, reasons: [most, ...reasons] };
}

/** What a browser session costs by the minute, as far as its end is known: `seconds` after its beginning. Its first minute is set aside. */
export function minutesPrice(least: number, perMinute: number, seconds?: number): Price {
	const perStarted = `${pluralize(perMinute, 'credit')} for each started minute of the session, until it is closed`;
	if (seconds === undefined) {
		const unknown = "How long it stays open is not known before: 'Time to Live' bounds it";
		return openPrice(least, perMinute, perStarted, unknown);
	}
	const minutes = Math.ceil(seconds / 60);
	const bound = `At most ${pluralize(minutes, 'minute')}, by 'Time to Live'`;
	return { ...price(least, minutes * perMinute, perStarted, bound), reserved: perMinute };
}

/** What a monitor costs: its checks are charged, whenever they run. */
export const checksPrice = openPrice(
	0,
	0,
	'Each check costs what its pages cost, until the monitor is paused or deleted',
);

/** What a list of results costs, by started tens, and nothing where nothing is found (https://docs.firecrawl.dev/api-reference/endpoint/search). */
export const resultsPrice = (count: number, perTen = 2): Price =>
	price(
		0,
		Math.ceil(count / 10) * perTen,
		`${pluralize(perTen, 'credit')} per 10 results, at most ${pluralize(count, 'result')}`,
	);
