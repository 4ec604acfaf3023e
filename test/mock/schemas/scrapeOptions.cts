import { z } from 'zod/v4';

import {
	location,
	profile,
	refuse,
	stamps,
	strict,
	threatProtection,
	url,
	whole,
} from './fields.cjs';
import { pageSchema } from './jsonSchema.cjs';

const bare = <T extends string>(type: T) => strict({ type: z.literal(type) });

const longText = z.string().min(1).max(10_000);

const viewport = strict({
	width: z.number().int().min(1).max(7680),
	height: z.number().int().min(1).max(4320),
});

const screenshotFields = {
	fullPage: z.boolean().optional(),
	quality: z.number().int().min(1).max(100).optional(),
	viewport: viewport.optional(),
};

const extraction = {
	schema: pageSchema.optional(),
	prompt: z.string().max(10_000).optional(),
};

/** Formats of a page that a search finds. */
const found = [
	...(['markdown', 'html', 'rawHtml', 'links', 'images', 'summary', 'product'] as const).map(bare),
	strict({ type: z.literal('menu'), modifiers: z.boolean().optional() }),
	strict({
		type: z.literal('json'),
		...extraction,
		checkPromptInjection: z.boolean().optional(),
	}),
	strict({ type: z.literal('question'), question: longText }),
	strict({ type: z.literal('highlights'), query: longText }),
	strict({
		type: z.literal('query'),
		prompt: longText,
		mode: z.enum(['freeform', 'directQuote']).optional(),
	}),
	strict({ type: z.literal('screenshot'), ...screenshotFields }),
] as const;

const format = z.union([
	...found,
	...(['rawBase64', 'branding', 'audio', 'video'] as const).map(bare),
	strict({ type: z.literal('deterministicJson'), ...extraction }),
	strict({
		type: z.literal('changeTracking'),
		modes: z.array(z.enum(['git-diff', 'json'])).optional(),
		schema: pageSchema.optional(),
		prompt: z.string().optional(),
		tag: z.string().nullable().optional(),
	}),
	strict({
		type: z.literal('attributes'),
		selectors: z
			.array(strict({ selector: z.string().min(1), attribute: z.string().min(1) }))
			.min(1),
	}),
]);
export type Format = z.output<typeof format>;
export type FormatOf<T extends Format['type']> = Extract<Format, { type: T }>;

/** A list of formats with the rules between its members: a string stands for `{type}`. */
const listOf = (item: z.ZodType<Format>) =>
	z
		.array(z.preprocess((given) => (typeof given === 'string' ? { type: given } : given), item))
		.superRefine(checkFormats);

function checkFormats(list: readonly Format[], check: z.RefinementCtx): void {
	const has = (type: Format['type']): boolean => list.some((each) => each.type === type);

	if (list.filter(({ type }) => type === 'screenshot').length > 1) {
		refuse(check, 'You may only specify one screenshot format');
	}
	if (has('changeTracking') && !has('markdown')) {
		const message =
			'The changeTracking format requires the markdown format to be specified as well';
		refuse(check, message);
	}
	if (has('rawBase64') && list.length > 1)
		refuse(check, 'The rawBase64 format cannot be combined with other formats');
}

const formats = listOf(format);
const searchFormats = listOf(z.union(found));

const action = z.union([
	strict({
		type: z.literal('wait'),
		milliseconds: whole(1).optional(),
		selector: z.string().min(1).optional(),
	}).refine(
		({ milliseconds, selector }) => (milliseconds === undefined) !== (selector === undefined),
		"Either 'milliseconds' or 'selector' must be provided, but not both.",
	),
	strict({
		type: z.literal('click'),
		selector: z.string().min(1),
		all: z.boolean().optional(),
	}),
	strict({ type: z.literal('screenshot'), ...screenshotFields }),
	strict({ type: z.literal('write'), text: z.string() }),
	strict({ type: z.literal('press'), key: z.string().min(1) }),
	strict({
		type: z.literal('scroll'),
		direction: z.enum(['up', 'down']).optional(),
		selector: z.string().min(1).optional(),
	}),
	strict({ type: z.literal('scrape') }),
	strict({ type: z.literal('executeJavascript'), script: z.string().min(1) }),
	strict({
		type: z.literal('pdf'),
		format: z
			.enum(['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'])
			.optional(),
	}),
]);
export type Action = z.output<typeof action>;

const actions = z
	.array(action)
	.refine(({ length }) => length <= 50, 'Number of actions cannot exceed 50');

const pdfParser = strict({
	type: z.literal('pdf'),
	mode: z.enum(['fast', 'auto', 'ocr']).optional(),
	maxPages: z.int().positive().max(10_000).optional(),
	pages: z.boolean().optional(),
	blocks: z.boolean().optional(),
	refresh: z.boolean().optional(),
});
/** Image OCR, which the public API reference does not show: it has the PDF parser only. */
const imageParser = strict({ type: z.literal('image') });

type Parser = z.output<typeof pdfParser | typeof imageParser>;

const parser = z
	.union([z.literal('pdf'), pdfParser, z.literal('image'), imageParser])
	.transform((item): Parser => (typeof item === 'string' ? { type: item } : item));

const redactPII = strict({
	mode: z.enum(['accurate', 'aggressive', 'fast']).optional(),
	entities: z
		.array(z.enum(['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET']))
		.optional(),
	replaceStyle: z.enum(['tag', 'mask', 'remove']).optional(),
});

/** ScrapeOptions of the reference, and `fastMode`, which does nothing here. */
export const scrapeOptionFields = {
	formats: formats.optional(),
	onlyMainContent: z.boolean().optional(),
	onlyCleanContent: z.boolean().optional(),
	includeTags: z.array(z.string().min(1)).optional(),
	excludeTags: z.array(z.string().min(1)).optional(),
	maxAge: z.number().int().nonnegative().optional(),
	minAge: z.number().int().nonnegative().optional(),
	headers: z.record(z.string(), z.string()).optional(),
	waitFor: z.number().int().nonnegative().max(60_000).optional(),
	mobile: z.boolean().optional(),
	fastMode: z.boolean().optional(),
	skipTlsVerification: z.boolean().optional(),
	timeout: z.int().positive().min(1000).max(300_000).optional(),
	parsers: z.array(parser).optional(),
	actions: actions.optional(),
	location: location.optional(),
	removeBase64Images: z.boolean().optional(),
	blockAds: z.boolean().optional(),
	proxy: z.enum(['basic', 'stealth', 'enhanced', 'auto']).optional(),
	storeInCache: z.boolean().optional(),
	lockdown: z.boolean().optional(),
	checkPromptInjection: z.boolean().optional(),
	redactPII: z.union([z.boolean(), redactPII]).optional(),
	profile: profile.optional(),
	threatProtection: threatProtection.optional(),
};

export const optionsObject = strict(scrapeOptionFields);
/** `zeroDataRetention` is a member of some requests only. */
export type ScrapeOptions = z.output<typeof optionsObject> & { zeroDataRetention?: boolean };

/** The rules between options. */
export function checkWaits(options: ScrapeOptions, check: z.RefinementCtx): void {
	const { waitFor = 0, timeout = 60_000 } = options;
	if (waitFor > timeout / 2) {
		refuse(check, 'waitFor must not exceed half of timeout', 'waitFor');
	}
	if (waitFor + waitingTime(options.actions) > 60_000) {
		const message = 'Total wait time (waitFor + wait actions) cannot exceed 60 seconds';
		refuse(check, message, 'actions');
	}
}

export const scrapeOptions = optionsObject.superRefine(checkWaits);

/** Scrape options of a search: its pages can be kept from storage. The search itself checks the waits. */
export const searchScrapeOptions = strict({
	...scrapeOptionFields,
	formats: searchFormats.optional(),
	zeroDataRetention: z.boolean().optional(),
});

/** Milliseconds that the wait actions are reckoned at; a selector wait counts one second. */
function waitingTime(list: readonly Action[] = []): number {
	return list
		.map((each) => (each.type === 'wait' ? (each.milliseconds ?? 1000) : 0))
		.reduce((sum, ms) => sum + ms, 0);
}

export const scrapeRequest = strict({
	...scrapeOptionFields,
	url,
	zeroDataRetention: z.boolean().optional(),
	toolDetail: z.enum(['compact', 'summary', 'full']).optional(),
	...stamps,
}).superRefine(checkWaits);
