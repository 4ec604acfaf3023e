import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A page of a public text collection. */
export interface Documentation {
	name: string;
	markdown: string;
}

/** Where the package fastify is, which brings its whole documentation (https://fastify.dev/docs). */
const folder = join(dirname(require.resolve('fastify')), 'docs');

/** The documentation of fastify, page by page. */
export const documentation = (): Documentation[] =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md') && !file.endsWith('Index.md'))
		.sort()
		.map((file) => ({
			name: file.replace(/\.md$/, '').toLowerCase(),
			markdown: readFileSync(join(folder, file), 'utf8'),
		}));
