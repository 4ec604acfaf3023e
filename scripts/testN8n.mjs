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

/** What is tried in an earlier n8n: what it does otherwise, and no editor. */
const IN_EARLIER = ['calls.test', 'credential.test', 'restart.test', 'triggers.test', 'agent.test'];

/** `--n8n 1.123` takes an earlier n8n than the newest; the rest is jest's. */
function settings(args) {
	const place = args.indexOf('--n8n');
	if (place === -1) return { tests: args };
	const rest = args.toSpliced(place, 2);
	return { earlier: args[place + 1], tests: rest.length === 0 ? IN_EARLIER : rest };
}

const { earlier, tests } = settings(process.argv.slice(2));
const begun = performance.now();
rmSync(join(projectRoot, OUTPUT), { recursive: true, force: true });

const forEditorAndQueue = [
	['Install Chromium', ensureChromium],
	['Install Redis and PostgreSQL', ensureQueue],
];

/** Everything up to the tests, and then those; resolves with the counts. */
async function testInN8n(work) {
	let tarball;
	const { failed } = await runSteps([
		...preparation(work, (path) => void (tarball = path), earlier),
		...(earlier === undefined ? forEditorAndQueue : []),
	]);
	if (failed) {
		console.log(`\nNo test was run, since this failed: ${failed}`);
		return { passed: 0, failed: 1 };
	}
	return await runJest(
		'Run the tests in n8n (jest)',
		`${OUTPUT}/jest.json`,
		['--config', 'test/n8n/jest.config.cjs', ...tests],
		{
			env: surroundings(
				work,
				{
					WEB_DATA_TARBALL: tarball,
					WEB_DATA_CHROMIUM: chromium(),
					WEB_DATA_REDIS: redis(),
					WEB_DATA_POSTGRES: postgres(),
				},
				earlier,
			),
		},
	);
}

const { passed, failed } = await withWorkFolder(testInN8n);
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
console.log(`\nIn n8n, in ${minutes} minutes:\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
