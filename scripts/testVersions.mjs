import Table from 'cli-table3';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ensurePackage, ensureTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runJest } from './jest.mjs';
import { ensureKit, kitFolder } from './kit.mjs';
import { projectRoot, runSteps } from './run.mjs';

/** Tests that touch every facility of n8n that the pack uses. */
const tests = [
	'unit/runtime/host/',
	'unit/runtime/http/client.test',
	'unit/runtime/jobs/executionCleanup.test',
	'engine/everyOperation.test',
	'engine/loading.test',
	'engine/agent/suspendMany.test',
	'engine/batch/run.test',
	'engine/batch/suspend.test',
	'engine/crawl/run.test',
	'engine/file/parse.test',
	'engine/file/upload.test',
	'engine/search/credential.test',
	'engine/search/failures.test',
	'engine/search/tool.test',
	'engine/searchTrigger/firing.test',
	'engine/searchTrigger/since.test',
	'engine/session/closing.test',
	'engine/stop.test',
	'engine/suspend.test',
	'engine/tool/execute.test',
	'engine/trigger/deliveries.test',
];

// Jest passes over a name that no file has.
const missing = tests.filter(
	(name) => !existsSync(join(projectRoot, 'test', name.endsWith('/') ? name : `${name}.cts`)),
);
if (missing.length > 0) {
	console.error(
		`There is no test ${missing.join(', ')}: correct the list in scripts/testVersions.mjs`,
	);
	process.exit(1);
}

const inOrder = (one, other) => one.localeCompare(other, 'en', { numeric: true });

/** The name of the newest engine's row: it is the one that is installed beside the pack. */
const NEWEST = 'newest';

/** What n8n may bring one day in its zod's place. */
const ZOD = 'zod-4';

/** The engines of n8n that test/versions lists, the oldest first. */
const engines = readdirSync(join(projectRoot, 'test/versions'), { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && entry.name !== ZOD)
	.map(({ name }) => name)
	.sort(inOrder);

/** Each row of the table: its name, the kit of its versions if it has one, and what is run in it. */
const rows = [
	...engines.map((name) => ({ name, kit: `versions/${name}`, tests })),
	{ name: NEWEST, tests },
	{ name: ZOD, kit: `versions/${ZOD}`, tests: ['unit/'] },
];

/** `npm run test:versions -- 1.105 newest` runs these rows only. */
const names = process.argv.slice(2);
const unknown = names.filter((name) => !rows.some((row) => row.name === name));
if (unknown.length > 0) {
	console.error(`There is no ${unknown.join(', ')}: ${rows.map(({ name }) => name).join(', ')}`);
	process.exit(1);
}
const chosen = names.length === 0 ? rows : rows.filter(({ name }) => names.includes(name));
const begun = performance.now();
const table = new Table({
	head: ['version', 'passed', 'failed', 'seconds'],
	style: { head: [], border: [] },
});
const sum = { passed: 0, failed: 0 };

/** Runs the tests of a row, and adds it to the table. */
async function run({ name, kit, tests: files }) {
	const started = performance.now();
	const title = `Run the tests with ${name} (jest)`;
	const env = { ...process.env, ...(kit && { WEB_DATA_VERSIONS: kitFolder(kit) }) };
	const args = ['--config', 'test/versions/jest.config.cjs', ...files];
	const { passed, failed } = await runJest(title, '.build/versions.json', args, { env });
	table.push([name, passed, failed, Math.round((performance.now() - started) / 1000)]);
	sum.passed += passed;
	sum.failed += failed;
}

const { failed: notReady } = await runSteps([
	['Install what is missing', ensureInstalled],
	['Build the package', ensurePackage],
	['Compile the tests and the mock server', ensureTests],
	...chosen
		.filter(({ kit }) => kit)
		.map(({ name, kit }) => [
			`Install ${name}`,
			async () => await ensureKit(kit, { cost: 'at most 150 MB, kept for later runs' }),
		]),
]);
if (notReady) {
	console.log(`\nNo test was run, since this failed: ${notReady}`);
	sum.failed += 1;
} else {
	for (const row of chosen) await run(row);
	console.log(`\n${table}`);
}
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
console.log(
	`\nVersions of n8n, in ${minutes} minutes:\n${sum.passed} passed, ${sum.failed} failed`,
);
process.exitCode = sum.failed === 0 ? 0 : 1;
