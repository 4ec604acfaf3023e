import type { Format } from '../schemas/formats.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';

const extraction = 4;
const priced: ReadonlySet<Format['type']> = new Set([
	'json',
	'deterministicJson',
	'question',
	'highlights',
	'query',
	'audio',
	'video',
]);

/** What the options add to every scraped page. */
export function optionCredits(options: ScrapeOptions): number {
	const { formats = [], redactPII } = options;
	const perFormat = formats.map((format) => (priced.has(format.type) ? extraction : 0));
	const extras = (redactPII ? extraction : 0) + (checksInjection(options) ? extraction : 0);
	return perFormat.reduce((sum, each) => sum + each, extras);
}

/** Whether the page is looked through, once for all formats: never a file that is only handed on. */
export function checksInjection({ formats = [], checkPromptInjection }: ScrapeOptions): boolean {
	if (formats.some(({ type }) => type === 'rawBase64')) return false;
	const byFormat = formats.some((format) => format.type === 'json' && format.checkPromptInjection);
	return checkPromptInjection === true || byFormat;
}

/**
 * The price of one page: 1, for a PDF 1 per page parsed (1 in all when it is not parsed), under
 * lockdown 5; plus what the options add, plus 1 for zero data retention asked for by the request.
 */
export function pageCredits(
	options: ScrapeOptions & { zeroDataRetention?: boolean },
	pdfPages: number | undefined,
): number {
	const base = options.lockdown ? 5 : Math.max(1, pdfPages ?? 1);
	return base + optionCredits(options) + (options.zeroDataRetention ? 1 : 0);
}
