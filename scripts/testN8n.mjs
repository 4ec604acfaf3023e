import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, ensureChromium } from './chromium.mjs';
import { preparation, surroundings } from './inN8n.mjs';
import { runJest } from './jest.mjs';
import { ensureQueue, postgres, redis } from './queue.mjs';
import { projectRoot, runSteps } from './run.mjs';
import { withWorkFolder } from './workFolder.mjs';

/** Logs, pictures and the report of the last run. */
const OUTPUT = '.build/n8n';

const begun = performance.now();
rmSync(join(projectRoot, OUTPUT), { recursive: true, force: true });

/** Everything up to the tests, and then those; resolves with the counts. */
async function testInN8n(work) {
	let tarball;
	const { failed } = await runSteps([
		...preparation(work, (path) => void (tarball = path)),
		['Install Chromium', ensureChromium],
		['Install Redis and PostgreSQL', ensureQueue],
	]);
	if (failed) {
		console.log(`\nNo test was run, since this failed: ${failed}`);
		return { passed: 0, failed: 1 };
	}
	return await runJest(
		'Run the tests in n8n (jest)',
		`${OUTPUT}/jest.json`,
		['--config', 'test/n8n/jest.config.cjs', ...process.argv.slice(2)],
		{
			env: surroundings(work, {
				WEB_DATA_TARBALL: tarball,
				WEB_DATA_CHROMIUM: chromium(),
				WEB_DATA_REDIS: redis(),
				WEB_DATA_POSTGRES: postgres(),
			}),
		},
	);
}

const { passed, failed } = await withWorkFolder(testInN8n);
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
console.log(`\nIn n8n, in ${minutes} minutes:\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
