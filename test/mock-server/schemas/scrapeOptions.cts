import { z } from 'zod';

import { actions, waitingTime } from './actions.cjs';
import { strict } from './body.cjs';
import { auditMetadata, location, profile, threatProtection } from './fields.cjs';
import { formats } from './formats.cjs';

const pdfParser = strict({
	type: z.literal('pdf'),
	mode: z.enum(['fast', 'auto', 'ocr']).optional(),
	maxPages: z.number().int().min(1).max(10_000).optional(),
	pages: z.boolean().optional(),
	blocks: z.boolean().optional(),
	pageMarkers: z.boolean().optional(),
	refresh: z.boolean().optional(),
});
/** Image OCR, which the public API reference does not show: it has the PDF parser only. */
const imageParser = strict({ type: z.literal('image') });

const parser = z.preprocess(
	(item) => (typeof item === 'string' ? { type: item } : item),
	z.discriminatedUnion('type', [pdfParser, imageParser]),
);

const redactPII = strict({
	mode: z.enum(['accurate', 'aggressive', 'fast']).optional(),
	entities: z
		.array(z.enum(['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET']))
		.optional(),
	replaceStyle: z.enum(['tag', 'mask', 'remove']).optional(),
});

/**
 * ScrapeOptions. The server source is more lenient in places
 * (`fastMode`); those are refused here.
 */
export const scrapeOptionFields = {
	formats: formats.optional(),
	onlyMainContent: z.boolean().optional(),
	onlyCleanContent: z.boolean().optional(),
	includeTags: z.array(z.string().min(1)).optional(),
	excludeTags: z.array(z.string().min(1)).optional(),
	maxAge: z.number().int().nonnegative().optional(),
	minAge: z.number().int().nonnegative().optional(),
	headers: z.record(z.string()).optional(),
	waitFor: z.number().int().nonnegative().max(60_000).optional(),
	mobile: z.boolean().optional(),
	skipTlsVerification: z.boolean().optional(),
	timeout: z.number().int().min(1000).max(300_000).optional(),
	parsers: z.array(parser).optional(),
	actions: actions.optional(),
	location: location.optional(),
	removeBase64Images: z.boolean().optional(),
	blockAds: z.boolean().optional(),
	proxy: z.enum(['basic', 'enhanced', 'stealth', 'auto']).optional(),
	storeInCache: z.boolean().optional(),
	lockdown: z.boolean().optional(),
	checkPromptInjection: z.boolean().optional(),
	redactPII: z.union([z.boolean(), redactPII]).optional(),
	profile: profile.optional(),
	threatProtection: threatProtection.optional(),
	auditMetadata: auditMetadata.optional(),
};

const optionsObject = strict(scrapeOptionFields);
/** `zeroDataRetention` is a member of some requests only. */
export type ScrapeOptions = z.output<typeof optionsObject> & { zeroDataRetention?: boolean };

/** The rules between options. */
export function checkWaits(options: ScrapeOptions, check: z.RefinementCtx): void {
	const { waitFor = 0, timeout = 60_000 } = options;
	if (options.lockdown && options.profile) {
		check.addIssue({
			code: 'custom',
			message: 'profile cannot be used with lockdown',
			path: ['profile'],
		});
	}
	if (waitFor > timeout / 2) {
		check.addIssue({
			code: 'custom',
			message: 'waitFor must not exceed half of timeout',
			path: ['waitFor'],
		});
	}
	if (waitFor + waitingTime(options.actions) > 60_000) {
		check.addIssue({
			code: 'custom',
			message: 'waitFor and all wait actions together must not exceed 60 seconds',
			path: ['actions'],
		});
	}
}

/** Scrape options as crawl wraps them. */
export const scrapeOptions = optionsObject.superRefine(checkWaits);

/** Scrape options of a search: its pages can be kept from storage. */
export const searchScrapeOptions = strict({
	...scrapeOptionFields,
	zeroDataRetention: z.boolean().optional(),
}).superRefine(checkWaits);
