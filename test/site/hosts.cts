import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import matter from 'gray-matter';
import { z } from 'zod';

import { projectRoot } from '../root.cjs';

const pagesFolder = join(projectRoot, 'test/site/pages');

/** Pages at the URLs that the example workflows name, of hosts that exist: a folder of its own, for who runs the examples. */
export const examplePagesFolder = join(projectRoot, 'test/site/examplePages');

const path = z.string().regex(/^\/\S+$/, 'must be a path that starts with /');

const hostSchema = z
	.object({
		/** Name and claim in the header. */
		site: z.string(),
		claim: z.string(),
		language: z.string().default('en'),
		country: z.string().length(2),
		/** CSS colour of the frame. */
		accent: z.string(),
		nav: z.record(z.string().startsWith('/')),
		/** Text of the advertisement beside the article. */
		ad: z.string(),
		footer: z.string(),
		/** Folders that robots.txt forbids; they are not in the sitemap either. */
		disallow: z.array(path).default([]),
		/** Rules of robots.txt for single crawlers by user agent: folders forbidden to them. */
		agents: z.record(z.array(path)).default({}),
		redirects: z.record(path, z.string()).default({}),
		/** Paths that answer with an error status. */
		errors: z.record(path, z.number().int().min(400).max(599)).default({}),
	})
	.strict();

/** A host's frame, from its `_host.md`. `name` is the host name, `folder` has its pages. */
export type Host = z.infer<typeof hostSchema> & { name: string; folder: string };

function loadHost(name: string, folder: string): Host {
	const file = join(folder, '_host.md');
	if (!existsSync(file)) throw new Error(`${file} is missing`);
	const data = parseFrontMatter(file, matter(readFileSync(file, 'utf8')).data, hostSchema);
	return { name, folder, ...data };
}

/** Hosts by name, one per folder of `pages/` and of other folders. */
export function loadHosts(more: readonly string[] = []): Map<string, Host> {
	return new Map(
		[pagesFolder, ...more].flatMap((pages) =>
			readdirSync(pages)
				.sort()
				.map((name): [string, Host] => [name, loadHost(name, join(pages, name))]),
		),
	);
}

/** Checks a file's front matter; the error names the file and every field at fault. */
export function parseFrontMatter<T extends z.ZodTypeAny>(
	file: string,
	data: unknown,
	schema: T,
): z.output<T> {
	const result = schema.safeParse(data);
	if (result.success) return result.data;
	const faults = result.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`);
	throw new Error(`${file}: ${faults.join('; ')}`);
}
