import { z } from 'zod';

import { escapeHtml } from './escapeHtml.cjs';
import { markdownToHtml } from './markdown.cjs';

const id = z.string().regex(/^[a-z][a-z0-9-]*$/);
const hidden = { id, text: z.string() };

interface Click {
	on: 'click';
	id: string;
	label: string;
	text: string;
	/** A second step inside the first: its button appears with the first one's text. */
	next?: Click | undefined;
}

const clickSchema: z.ZodType<Click> = z
	.object({
		on: z.literal('click'),
		...hidden,
		label: z.string(),
		next: z.lazy(() => clickSchema).optional(),
	})
	.strict();

/** A part of a page that appears, or a list that shrinks, only after an action or a wait. */
export const partSchema = z.union([
	clickSchema,
	z.object({ on: z.literal('wait'), ...hidden, ms: z.number().int().positive() }).strict(),
	z.object({ on: z.literal('scroll'), ...hidden, direction: z.enum(['up', 'down']) }).strict(),
	z.object({ on: z.literal('enter'), ...hidden, label: z.string(), expects: z.string() }).strict(),
	z.object({ on: z.literal('filter'), id, label: z.string(), items: z.array(z.string()) }).strict(),
]);

export type Part = z.infer<typeof partSchema>;

/** The part's markup, by the convention in `site.cts`. Fields get the id `<part id>-input`. */
export function partHtml(part: Part): string {
	switch (part.on) {
		case 'click':
			return `<button type="button" id="${part.id}-button" data-reveals="#${part.id}">
${escapeHtml(part.label)}</button>
${template(part.id, '', part.text, part.next && partHtml(part.next))}`;
		case 'wait':
			return template(part.id, `data-after-ms="${part.ms}"`, part.text);
		case 'scroll':
			return template(part.id, `data-on-scroll="${part.direction}"`, part.text);
		case 'enter':
			return `${field(part.id, part.label)} data-on-enter="#${part.id}"
data-expects="${escapeHtml(part.expects)}">
${template(part.id, '', part.text)}`;
		case 'filter':
			return `${field(part.id, part.label)} data-filters="#${part.id}">
<ul id="${part.id}">
${part.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('\n')}
</ul>`;
	}
}

function field(partId: string, label: string): string {
	const inputId = `${partId}-input`;
	return `<label for="${inputId}">${escapeHtml(label)}</label> <input type="text" id="${inputId}"`;
}

function template(partId: string, condition: string, text: string, next = ''): string {
	const attributes = [`id="${partId}"`, condition].filter(Boolean).join(' ');
	return `<template ${attributes}>\n${markdownToHtml(text)}${next}\n</template>`;
}
