import type { ScrapeOptions } from './schemas/scrapeOptions.cjs';

/** The price of a scraped page, in the order of the service's billing; `pdfPages`: those of it that were parsed as a PDF. */
export function pageCredits(options: ScrapeOptions, pdfPages = 1): number {
	const { formats = [], lockdown, redactPII, zeroDataRetention } = options;
	const types = new Set<string>(formats.map(({ type }) => type));
	const tracksJson = formats.some(
		(format) => format.type === 'changeTracking' && format.modes?.includes('json'),
	);
	let credits = 1;
	if (lockdown) credits += 4;
	if (types.has('json') || tracksJson) credits += 4;
	if (checksInjection(options)) credits += 4;
	if (types.has('deterministicJson')) credits = 10;
	if (types.has('question') || types.has('query')) credits += 4;
	for (const type of ['highlights', 'audio', 'video']) if (types.has(type)) credits += 4;
	if (zeroDataRetention && !lockdown) credits += 1;
	// What each page of a PDF after the first adds.
	const perPage = redactPII ? 5 : 1;
	return credits + (redactPII ? 4 : 0) + Math.max(0, pdfPages - 1) * perPage;
}

/** The price of a browser session, by its exact time. */
export function sessionCredits(durationMs: number, prompted: boolean): number {
	const hours = durationMs / 3_600_000;
	return prompted ? Math.max(7, Math.ceil(hours * 420)) : Math.max(2, Math.ceil(hours * 120));
}

/** Whether the page is looked through, once for all formats: never a file that is only handed on. */
function checksInjection({ formats = [], checkPromptInjection }: ScrapeOptions): boolean {
	if (formats.some(({ type }) => type === 'rawBase64')) return false;
	const byFormat = formats.some((format) => format.type === 'json' && format.checkPromptInjection);
	return checkPromptInjection === true || byFormat;
}

/** What results of any kind cost: 2 credits per started ten; 10 under zero data retention. */
export const resultCredits = (results: number, zdr = false): number =>
	Math.ceil(results / 10) * (zdr ? 10 : 2);
