import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { projectRoot } from '../root.cjs';
import { readMarkdown } from './markdown.cjs';

/** What is built, git's own, and the pages of the mock server's web. */
const others = new Set(['dist', '.build', '.git', 'test/site/pages', 'test/site/examplePages']);

/** Every page of Markdown below a folder, by its path in the repository. */
function pagesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		const name = relative(projectRoot, path).replaceAll(sep, '/');
		if (entry.name === 'node_modules' || others.has(name)) return [];
		if (entry.isDirectory()) return pagesIn(path);
		return name.endsWith('.md') ? [name] : [];
	});
}

const text = (page: string): string => readFileSync(join(projectRoot, page), 'utf8');

const pages = pagesIn(projectRoot).sort();
const contents = new Map(pages.map((page) => [page, readMarkdown(text(page))]));

/** What is wrong with a link of a page to a place of the repository; undefined for one that leads there, and for other hosts. */
function wrong(page: string, target: string): string | undefined {
	if (/^[a-z][a-z\d+.-]*:/i.test(target)) return undefined;
	const [path, anchor] = target.split('#');
	const file = path === '' ? page : posix.join(dirname(page), path);
	if (file.startsWith('..') || !existsSync(join(projectRoot, file)))
		return `${target}: no such file`;
	const known = anchor === undefined || contents.get(file)?.anchors.has(anchor);
	return known ? undefined : `${target}: no such heading`;
}

it('headings are named in links as GitHub names them', () => {
	const { anchors } = readMarkdown(
		['# `npm start`: a *first* try', '## Get', '## Get', '## Who? When & why', '## Über_uns'].join(
			'\n',
		),
	);

	expect([...anchors]).toEqual([
		'npm-start-a-first-try',
		'get',
		'get-1',
		'who-when--why',
		'über_uns',
	]);
});

it('links in text, tables and pictures are seen, and those in code are not', () => {
	const { targets } = readMarkdown(
		'[a](b.md) ![c](d.png)\n\n|[e](f.md#g)|\n|---|\n|`[h](i.md)`|\n\n```\n[j](k.md)\n```',
	);

	expect(targets).toEqual(['b.md', 'd.png', 'f.md#g']);
});

describe('the documentation', () => {
	it.each(pages)('leads where its links say: %s', (page) => {
		const targets = contents.get(page)?.targets ?? [];

		expect(targets.flatMap((target) => wrong(page, target) ?? [])).toEqual([]);
	});

	it('begins with a README of 1,500 words at most, as `wc -w` counts them', () => {
		const words = text('README.md').split(/\s+/).filter(Boolean);

		expect(words.length).toBeLessThanOrEqual(1_500);
	});

	it.each([
		'ai-agents',
		'api-notes',
		'benchmarks',
		'budget',
		'data-tools',
		'monitors',
		'operations',
		'passages',
		'queue-mode',
		'retries-and-charges',
		'self-hosting',
		'sessions',
		'testing',
		'triggers',
		'waiting',
	])('has a page that begins with its answer: docs/%s.md', (name) => {
		const [heading, answer = ''] = text(`docs/${name}.md`).split('\n\n');

		expect(heading).toMatch(/^# \S/);
		expect(answer).toMatch(/^[A-Z*]/);
	});

	it('is all within reach of the README', () => {
		const reached = new Set(['README.md']);
		for (const page of reached) {
			for (const target of contents.get(page)?.targets ?? []) {
				const file = posix.join(dirname(page), target.split('#')[0]);
				if (contents.has(file)) reached.add(file);
			}
		}

		expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
	});
});
