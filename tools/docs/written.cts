import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { prices } from '../../nodes/WebData/fields/prices';
import { pageFile } from '../convert/pageFile.cjs';
import { TestBed } from '../../test/engine/testBed.cjs';
import { projectRoot } from '../../test/root.cjs';
import { previewFolder, previews } from './previews.cjs';
import { reference } from './reference.cjs';

/** The page of costs with the table of prices. */
function budget(): string {
	const page = readFileSync(join(projectRoot, 'docs/budget.md'), 'utf8');
	const rows = Object.values(prices).map(
		({ credits, of }) => `| ${of} | ${credits.toLocaleString('en-US')} |`,
	);
	const others = [
		'| Data tool | its own price, in its search result |',
		'| Papers, account, polls, lists, previews, cancellations | free |',
	];
	const table = ['| What | Credits |', '|---|---|', ...rows, ...others].join('\n');
	return page.replace(/^\| What +\| Credits +\|\n(?:\|.*\n)*/m, () => `${table}\n`);
}

/** The text of every stored file that `npm run docs` writes, by its path in the repository. */
async function written(testBed: TestBed): Promise<Map<string, string>> {
	return new Map([
		...(await previews(testBed)),
		['docs/operations.md', reference()],
		['docs/budget.md', budget()],
	]);
}

/** Whether a file says the same already; the order of the properties of JSON says nothing. */
function isSame(path: string, text: string): boolean {
	const file = join(projectRoot, path);
	if (!existsSync(file)) return false;
	const now = readFileSync(file, 'utf8');
	return (
		now === text || (path.endsWith('.json') && isDeepStrictEqual(JSON.parse(now), JSON.parse(text)))
	);
}

/** The files that `npm run docs` would write with another text, and those that it would remove. */
export async function staleFiles(
	testBed: TestBed,
): Promise<{ changed: Map<string, string>; gone: string[] }> {
	const files = await written(testBed);
	const kept = readdirSync(join(projectRoot, previewFolder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.json'))
		.map((path) => `${previewFolder}/${path.replaceAll('\\', '/')}`);
	return {
		changed: new Map([...files].filter(([path, text]) => !isSame(path, text))),
		gone: kept.filter((path) => !files.has(path)),
	};
}

/** Writes what has changed. */
export async function writeDocs(): Promise<void> {
	const testBed = new TestBed();
	await testBed.open();
	try {
		const { changed, gone } = await staleFiles(testBed);
		const page = pageFile(projectRoot, join(projectRoot, '.build/tools/convert'));
		changed.set('docs/convert/index.html', page);
		for (const path of gone) rmSync(join(projectRoot, path));
		for (const [path, text] of changed) {
			mkdirSync(dirname(join(projectRoot, path)), { recursive: true });
			writeFileSync(join(projectRoot, path), text);
		}
	} finally {
		await testBed.close();
	}
}
