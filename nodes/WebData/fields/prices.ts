import { isOn } from '../../runtime/contract';

/** What a model's reading adds to a page, in credits (addendum 4, Cost). */
const extraction = 4;

const pricedFormats = new Set([
	'json',
	'deterministicJson',
	'question',
	'highlights',
	'query',
	'audio',
	'video',
]);

/** The options that decide what a page costs. */
export interface PricedOptions {
	formats?: Array<{ type: string; checkPromptInjection?: unknown }>;
	checkPromptInjection?: unknown;
	lockdown?: boolean;
	redactPII?: unknown;
	threatProtection?: { mode?: unknown };
	zeroDataRetention?: boolean;
}

/** What the scan of one address for threats costs, in credits; lists alone cost nothing. */
export const scanPrice = (protection: { mode?: unknown } = {}): number =>
	protection.mode === 'normal' || protection.mode === 'zscaler' ? 2 : 0;

/** What a page costs at the least, in credits: a PDF costs 1 for each of its pages, which nobody knows before (addendum 4, Cost; api-v2, Limits). */
export function pagePrice(options: PricedOptions): number {
	const { formats = [], lockdown, redactPII, threatProtection, zeroDataRetention } = options;
	const forFormats = formats.map(({ type }) => (pricedFormats.has(type) ? extraction : 0));
	const checks = formats.filter((format) => isOn(format.checkPromptInjection)).length;
	const extras = [
		extraction * Math.max(checks, isOn(options.checkPromptInjection) ? 1 : 0),
		lockdown ? 4 : 0,
		redactPII ? extraction : 0,
		scanPrice(threatProtection),
		zeroDataRetention ? 1 : 0,
	];
	return [1, ...forFormats, ...extras].reduce((sum, each) => sum + each);
}

/** What a list of results costs, in credits: by started tens (addendum 2 and 3). */
export const resultsPrice = (count: number, perTen = 2) => Math.ceil(count / 10) * perTen;
