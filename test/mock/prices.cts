import type { ScrapeOptions } from './schemas/scrapeOptions.cjs';

/** What formats cost beside the page, each once; of a question and queries one is paid. */
const fees: Record<string, number> = { audio: 4, highlights: 4, json: 4, question: 4, video: 4 };

/** The price of a scraped page; `pdfPages`: those of it that were parsed as a PDF. */
export function pageCredits(options: ScrapeOptions, pdfPages = 1): number {
	const { formats = [], lockdown, redactPII, zeroDataRetention, checkPromptInjection } = options;
	const types = new Set(formats.map(({ type }) => (type === 'query' ? 'question' : type)));
	const paid = [...types].reduce((sum, type) => sum + (fees[type] ?? 0), 0);
	const extras = [lockdown, checkPromptInjection, redactPII].filter(Boolean);
	const retention = zeroDataRetention && !lockdown ? 1 : 0;
	// What each page of a PDF after the first adds.
	const perPage = redactPII ? 5 : 1;
	return 1 + paid + 4 * extras.length + retention + Math.max(0, pdfPages - 1) * perPage;
}

/** The price of a browser session, by its exact time. */
export function sessionCredits(durationMs: number, prompted: boolean): number {
	const hours = durationMs / 3_600_000;
	return prompted ? Math.max(7, Math.ceil(hours * 420)) : Math.max(2, Math.ceil(hours * 120));
}

/** What results of any kind cost: 2 credits per started ten; 10 under zero data retention. */
export const resultCredits = (count: number, zeroRetention: boolean): number =>
	Math.ceil(count / 10) * (zeroRetention ? 10 : 2);
