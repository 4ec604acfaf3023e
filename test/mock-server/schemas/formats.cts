import { z } from 'zod';

import { refuse, strict } from './body.cjs';
import { pageSchema } from './jsonSchema.cjs';

const plain = z.enum([
	'markdown',
	'summary',
	'html',
	'rawHtml',
	'rawBase64',
	'links',
	'images',
	'branding',
	'product',
	'audio',
	'video',
]);

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

const format = z.discriminatedUnion('type', [
	strict({ type: plain }),
	strict({ type: z.literal('menu'), modifiers: z.boolean().optional() }),
	strict({ type: z.literal('screenshot'), ...screenshotFields }),
	strict({
		type: z.literal('json'),
		...extraction,
		checkPromptInjection: z.boolean().optional(),
	}),
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
	strict({ type: z.literal('question'), question: longText }),
	strict({ type: z.literal('highlights'), query: longText }),
	strict({
		type: z.literal('query'),
		prompt: longText,
		mode: z.enum(['freeform', 'directQuote']).optional(),
	}),
]);
export type Format = z.output<typeof format>;
export type FormatOf<T extends Format['type']> = Extract<Format, { type: T }>;

/** Formats without required properties: a bare string stands for `{type}`. */
const bare = new Set<string>([...plain.options, 'menu', 'screenshot', 'changeTracking']);

/** The list of formats with the rules between its members. */
export const formats = z
	.array(z.preprocess((item) => (bare.has(String(item)) ? { type: item } : item), format))
	.superRefine((list, check) => {
		const has = (type: Format['type']): boolean => list.some((each) => each.type === type);

		list.forEach((each, index) => {
			const extracts = each.type === 'json' || each.type === 'deterministicJson';
			if (extracts && !each.schema && !each.prompt)
				refuse(check, 'Needs a schema or a prompt', index);
		});
		if (list.filter(({ type }) => type === 'screenshot').length > 1) {
			refuse(check, 'Only one screenshot format is allowed');
		}
		if (has('changeTracking') && !has('markdown'))
			refuse(check, 'changeTracking requires markdown');
		if (has('rawBase64') && list.length > 1) refuse(check, 'rawBase64 must be the only format');
		if (has('json') && has('deterministicJson')) {
			refuse(check, 'json and deterministicJson exclude each other');
		}
	});
