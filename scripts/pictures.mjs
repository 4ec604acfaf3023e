import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { execute, exitCodeOf, Failure, projectRoot } from './run.mjs';

const taken = join(projectRoot, '.build/n8n/screenshots/examples');
const kept = join(projectRoot, 'docs/images/examples');

/** Puts a picture into the documentation, with fewer colours where pngquant is installed. */
async function keep(name) {
	const [from, to] = [join(taken, name), join(kept, name)];
	const reduce = ['--force', '--strip', '--output', to, '64', from];
	const reduced = await execute('pngquant', reduce).catch(() => undefined);
	if (reduced !== 0) copyFileSync(from, to);
}

/** Takes the pictures of examples/README.md anew: the tests of the canvas take them in n8n's editor. */
process.exitCode = await exitCodeOf(async () => {
	const failed = await execute(process.execPath, ['scripts/testN8n.mjs', 'n8n/pictures.test']);
	if (failed) throw new Failure('The pictures in docs/images/examples stay as they were');
	mkdirSync(kept, { recursive: true });
	for (const name of readdirSync(taken)) await keep(name);
});
