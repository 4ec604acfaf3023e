import { z } from 'zod/v4';

import {
	location,
	optional,
	profile,
	refuse,
	stamps,
	strict,
	threatProtection,
	url,
	whole,
} from './fields.cjs';
import { pageSchema } from './jsonSchema.cjs';

const flag = z.boolean();
const text = z.string().min(1);
const longText = text.max(10_000);

/** The settings of a redaction; the documentation does not say what becomes of others. */
const redaction = z
	.looseObject({
		mode: z.enum(['accurate', 'aggressive', 'fast']),
		entities: z.array(z.enum(['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'])),
		replaceStyle: z.enum(['tag', 'mask', 'remove']),
	})
	.partial();

/** An entry of a list of formats, actions or parsers, with what belongs to its type. */
const entry = <T extends string, S extends z.ZodRawShape>(type: T, members: S) =>
	strict({ type: z.literal(type), ...members });
const bare = <T extends string>(type: T) => entry(type, {});

const { shape: screenshot } = optional({
	fullPage: flag,
	quality: whole(1, 100),
	viewport: strict({ width: whole(1, 7680), height: whole(1, 4320) }),
});
const { shape: extraction } = optional({ schema: pageSchema, prompt: longText });

/** Formats of a page that a search finds, in the order of the service, whose errors count them: new ones go to the end. */
const found = [
	...(
		['markdown', 'html', 'rawHtml', 'links', 'images', 'summary', 'product', 'menu'] as const
	).map(bare),
	entry('json', extraction),
	entry('question', { question: longText }),
	entry('highlights', { query: longText }),
	entry('query', { prompt: longText }),
	entry('screenshot', screenshot),
] as const;

const format = z.union([
	...found,
	...(['rawBase64', 'branding', 'audio', 'video'] as const).map(bare),
	entry('deterministicJson', extraction),
	entry('changeTracking', {
		...extraction,
		modes: z.array(z.enum(['git-diff', 'json'])).optional(),
		tag: z.string().nullable().optional(),
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
	const count = (type: Format['type']) => list.filter((each) => each.type === type).length;
	if (count('screenshot') > 1) refuse(check, 'You may only specify one screenshot format');
	if (count('changeTracking') > 0 && count('markdown') === 0) {
		const message =
			'The changeTracking format requires the markdown format to be specified as well';
		refuse(check, message);
	}
	if (count('rawBase64') > 0 && list.length > 1) {
		refuse(check, 'The rawBase64 format cannot be combined with other formats');
	}
}

const wait = entry('wait', { milliseconds: whole(1).optional(), selector: text.optional() }).refine(
	({ milliseconds, selector }) => (milliseconds === undefined) !== (selector === undefined),
	"Either 'milliseconds' or 'selector' must be provided, but not both.",
);

const action = z.union([
	wait,
	entry('click', { selector: text, all: flag.optional() }),
	entry('screenshot', screenshot),
	entry('write', { text: z.string() }),
	entry('press', { key: text }),
	entry('scroll', { direction: z.enum(['up', 'down']).optional(), selector: text.optional() }),
	bare('scrape'),
	entry('executeJavascript', { script: text }),
	entry('pdf', { format: z.string().optional() }),
]);
export type Action = z.output<typeof action>;

const pdfParser = entry('pdf', {
	mode: z.enum(['fast', 'auto', 'ocr']).optional(),
	maxPages: whole(1, 10_000).optional(),
	pages: flag.optional(),
	pageMarkers: flag.optional(),
	refresh: flag.optional(),
});

const parser = z
	.union([z.literal('pdf'), pdfParser, z.literal('image')])
	.transform((item): z.output<typeof pdfParser> | { type: 'image' } =>
		typeof item === 'string' ? { type: item } : item,
	);

/** What a scrape takes beside the address. */
export const optionsObject = optional({
	formats: listOf(format),
	onlyMainContent: flag,
	onlyCleanContent: flag,
	includeTags: z.array(text),
	excludeTags: z.array(text),
	maxAge: whole(0),
	minAge: whole(0),
	headers: z.record(z.string(), z.string()),
	waitFor: whole(0, 60_000),
	mobile: flag,
	fastMode: flag,
	skipTlsVerification: flag,
	timeout: z.int().positive().min(1000).max(300_000),
	parsers: z.array(parser),
	actions: z
		.array(action)
		.refine(({ length }) => length <= 50, 'Number of actions cannot exceed 50'),
	location,
	removeBase64Images: flag,
	blockAds: flag,
	proxy: z.enum(['basic', 'stealth', 'enhanced', 'auto']),
	storeInCache: flag,
	lockdown: flag,
	checkPromptInjection: flag,
	redactPII: z.union([flag, redaction]),
	profile,
	threatProtection,
});

/** The same where a request, and not a job, asks that nothing is kept. */
const keptObject = optionsObject.extend({ zeroDataRetention: flag.optional() });
export type ScrapeOptions = z.output<typeof keptObject>;

/** The rules between options. */
export function checkWaits(options: ScrapeOptions, check: z.RefinementCtx): void {
	const { waitFor = 0, timeout = 60_000, actions = [] } = options;
	if (waitFor > timeout / 2) refuse(check, 'waitFor must not exceed half of timeout', 'waitFor');
	// A wait for a selector counts one second.
	const waits = actions.map((each) => (each.type === 'wait' ? (each.milliseconds ?? 1000) : 0));
	if (waits.reduce((sum, ms) => sum + ms, waitFor) > 60_000) {
		const message = 'Total wait time (waitFor + wait actions) cannot exceed 60 seconds';
		refuse(check, message, 'actions');
	}
}

export const scrapeOptions = optionsObject.superRefine(checkWaits);

/** Scrape options of a search, which checks the waits itself. */
export const searchScrapeOptions = keptObject.extend({
	formats: listOf(z.union(found)).optional(),
});

/** Body of `POST /scrape`. */
export const scrapeRequest = keptObject.extend({ url, ...stamps }).superRefine(checkWaits);
