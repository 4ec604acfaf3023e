import { z } from 'zod/v4';

import { refuse, strict } from './body.cjs';
import { pageSchema } from './jsonSchema.cjs';

const bare = <T extends string>(type: T) => strict({ type: z.literal(type) });

const longText = z.string().min(1).max(10_000);

const viewport = strict({
	width: z.number().int().min(1).max(7680),
	height: z.number().int().min(1).max(4320),
});

export const screenshotFields = {
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

export const formats = listOf(format);
export const searchFormats = listOf(z.union(found));
