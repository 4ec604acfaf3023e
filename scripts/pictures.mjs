import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { execute, exitCodeOf, Failure, projectRoot } from './run.mjs';

const taken = join(projectRoot, '.build/n8n/screenshots');
const kept = join(projectRoot, 'docs/images');

/** Puts a picture into the documentation, with fewer colours where pngquant is installed. */
async function keep(name, as) {
	const [from, to] = [join(taken, name), join(kept, as)];
	mkdirSync(dirname(to), { recursive: true });
	const reduce = ['--force', '--strip', '--output', to, '64', from];
	const reduced = await execute('pngquant', reduce).catch(() => undefined);
	if (reduced !== 0) copyFileSync(from, to);
}

/** Has tests in n8n's editor take their pictures. */
async function take(...tests) {
	const failed = await execute(process.execPath, ['scripts/testN8n.mjs', ...tests]);
	if (failed) throw new Failure('The pictures in docs/images stay as they were');
}

/** Every panel in both looks, to be looked at; the documentation does not have them. */
async function takePanels() {
	await take('--testMatch', '**/*.pictures.cjs');
	console.log(`\nThe pictures of all panels are in ${join(taken, 'panels')}`);
}

/** The pictures of the documentation: the canvas of each example, and a search from + to its results. */
async function takeThoseOfTheDocumentation() {
	await take('n8n/pictures.test', 'n8n/clicks.test');
	for (const name of readdirSync(join(taken, 'examples'))) {
		await keep(join('examples', name), join('examples', name));
	}
	for (const still of ['1-found', '2-filled', '3-results']) {
		await keep(`clicks/search-with-markdown-${still}.png`, `search-${still}.png`);
	}
}

process.exitCode = await exitCodeOf(
	process.argv[2] === 'panels' ? takePanels : takeThoseOfTheDocumentation,
);
