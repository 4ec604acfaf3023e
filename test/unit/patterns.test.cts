import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../root.cjs';

const script = `import { checkPatterns } from './scripts/patterns.mjs';
process.exitCode = await checkPatterns(process.argv.slice(1));`;

/** What `npm run patterns` says of a file, and whether it is content. */
async function verdictOn(source: string): Promise<{ passed: boolean; words: string }> {
	const folder = mkdtempSync(join(tmpdir(), 'web-data-patterns-'));
	writeFileSync(join(folder, 'planted.ts'), source);
	try {
		return await new Promise((resolve) =>
			execFile(
				process.execPath,
				['--input-type=module', '--eval', script, folder],
				{ cwd: projectRoot, timeout: 120_000 },
				(error, words) => resolve({ passed: error === null, words }),
			),
		);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Patterns by which text from outside has stopped n8n. */
const planted = [
	String.raw`/\/+$/`,
	String.raw`/=*$/`,
	String.raw`/<[^>]*>/g`,
	String.raw`/[.\s]+$/`,
	String.raw`/check.*running|already running/i`,
	String.raw`/^[^\s@]+@[^\s@]+\.[^\s@]+$/`,
	String.raw`/^(a+)+$/`,
];

it('every pattern that is not linear is reported with its line', async () => {
	const source = planted.map((pattern, index) => `export const p${index} = ${pattern};\n`).join('');
	const { passed, words } = await verdictOn(source);
	expect(passed).toBe(false);
	for (const [index, pattern] of planted.entries()) {
		expect(words).toContain(`planted.ts:${index + 1}  ${pattern} takes `);
	}
}, 120_000);

it('a constructor is read as a literal is, and reported when its pattern is known at run time only', async () => {
	const { passed, words } = await verdictOn(
		[
			String.raw`export const known = new RegExp('a*$', 'i');`,
			String.raw`export const unknown = (text: string) => RegExp(text);`,
			String.raw`export const sound = new RegExp('^a*$');`,
		].join('\n'),
	);
	expect(passed).toBe(false);
	expect(words).toContain('planted.ts:1  /a*$/i takes polynomial time');
	expect(words).toContain('planted.ts:2  is made at run time');
	expect(words).toContain('3 patterns, 2 of them not linear');
}, 120_000);

it('linear patterns and the syntax check of a pattern of the user pass', async () => {
	const { passed, words } = await verdictOn(
		[
			String.raw`export const tags = /<[^<>]*>/g;`,
			String.raw`export const ends = /^[\w-]+$/;`,
			String.raw`export const isWrong = (text: string) => !attempt(() => new RegExp(text)).ok;`,
		].join('\n'),
	);
	expect(words).toContain('2 patterns, 0 of them not linear');
	expect(passed).toBe(true);
}, 120_000);
