import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import matter from 'gray-matter';
import { z } from 'zod';

import { parseFrontMatter, type Host } from './hosts.cjs';
import { imagesIn } from './markdown.cjs';
import { menuMarkdown, menuSchema, productMarkdown, productSchema } from './offers.cjs';
import { partSchema } from './parts.cjs';
import type { SitePage } from './site.cjs';

const hour = 3_600_000;
const unitMs = new Map([
	['min', hour / 60],
	['h', hour],
	['d', 24 * hour],
	['w', 7 * 24 * hour],
	['mo', 30 * 24 * hour],
	['y', 365 * 24 * hour],
]);
const agePattern = /^(\d+)(min|h|d|w|mo|y)$/;

const extrasSchema = z.object({
	author: z.string().optional(),
	/** `false`: left out of the sitemap and of the "more" lists, reachable by links alone. */
	listed: z.boolean().default(true),
	/** A video shown on the page, at `/media/<name>.mp4`. */
	video: z
		.object({ name: z.string(), title: z.string(), seconds: z.number().int().positive() })
		.strict()
		.optional(),
	product: productSchema.optional(),
	menu: menuSchema.optional(),
	/** Parts that appear only after an action or a wait, below the article. */
	parts: z.array(partSchema).default([]),
});

const pageSchema = extrasSchema
	.extend({
		title: z.string(),
		description: z.string(),
		kind: z.enum(['page', 'news', 'pdf']).default('page'),
		/** Time since the last change, e.g. `20min`, `3h`, `2d`, `5w`, `14mo`, `2y`. */
		age: z.string().regex(agePattern),
		language: z.string().optional(),
		country: z.string().length(2).optional(),
		category: z.enum(['research', 'developer']).optional(),
		explicit: z.boolean().optional(),
		/** Milliseconds that the page takes to answer. */
		delay: z.number().int().positive().optional(),
		/** Milliseconds that a service needs to read the document once it has it: scans, many pages. */
		processing: z.number().int().positive().optional(),
	})
	.strict();

/** What the templates need of a page beyond what the service sees. */
export type PageExtras = z.infer<typeof extrasSchema>;

export interface SourcePage {
	page: SitePage;
	extras: PageExtras;
}

/** Reads every page file. A host's pages come in the order of their paths. */
export function loadPages(hosts: ReadonlyMap<string, Host>, now: Date): SourcePage[] {
	return [...hosts.values()].flatMap((host) =>
		readdirSync(host.folder, { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.md') && name !== '_host.md')
			.map((name) => loadPage(host, join(host.folder, name), now))
			.sort((a, b) => a.page.path.localeCompare(b.page.path, 'en')),
	);
}

function loadPage(host: Host, file: string, now: Date): SourcePage {
	const { data, content } = matter(readFileSync(file, 'utf8'));
	const front = parseFrontMatter(file, data, pageSchema);
	const path = pagePath(relative(host.folder, file));
	const url = `https://${host.name}${path}`;
	if ((front.kind === 'pdf') !== path.endsWith('.pdf')) {
		throw new Error(`${file}: a page of kind pdf, and no other, is named *.pdf.md`);
	}
	const markdown = [
		content.trim(),
		...(front.product ? [productMarkdown(front.product)] : []),
		...(front.menu ? [menuMarkdown(front.menu)] : []),
	].join('\n\n');
	const page: SitePage = {
		url,
		host: host.name,
		path,
		kind: front.kind,
		title: front.title,
		description: front.description,
		published: new Date(now.getTime() - ageMs(front.age)).toISOString(),
		language: front.language ?? host.language,
		country: front.country ?? host.country,
		...(front.category && { category: front.category }),
		...(front.explicit && { explicit: true }),
		...(front.delay && { delayMs: front.delay }),
		...(front.processing && { processingMs: front.processing }),
		markdown,
		markup: '',
		images: imagesIn(markdown, url),
	};
	return { page, extras: front };
}

/** `guides/index.md` → `/guides`, `guides/tides.md` → `/guides/tides`. */
function pagePath(file: string): string {
	const path = file
		.split(sep)
		.join('/')
		.replace(/\.md$/, '')
		.replace(/(^|\/)index$/, '');
	return `/${path}`;
}

function ageMs(age: string): number {
	const [, count = '', unit = ''] = agePattern.exec(age) ?? [];
	return Number(count) * (unitMs.get(unit) ?? NaN);
}
