import Table from 'cli-table3';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ensurePackage, ensureTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runJest } from './jest.mjs';
import { ensureKit, kitFolder } from './kit.mjs';
import { projectRoot, runSteps } from './run.mjs';

/** Tests that touch every facility of n8n that the pack uses. */
const tests = [
	'unit/runtime/host/',
	'unit/runtime/client.test',
	'unit/runtime/executionEnd.test',
	'engine/loading.test',
	'engine/agent/run.test',
	'engine/agent/suspend.test',
	'engine/batch/run.test',
	'engine/batch/suspend.test',
	'engine/crawl/run.test',
	'engine/search/credential.test',
	'engine/search/failures.test',
	'engine/search/tool.test',
	'engine/session/closing.test',
	'engine/trigger/deliveries.test',
];

const inOrder = (one, other) => one.localeCompare(other, 'en', { numeric: true });

/** The versions of n8n that test/versions lists, the oldest first. */
const versions = readdirSync(join(projectRoot, 'test/versions'), { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name)
	.sort(inOrder);

const [only] = process.argv.slice(2);
const chosen = only === undefined ? versions : versions.filter((version) => version === only);
const begun = performance.now();
const table = new Table({ head: ['n8n', 'passed', 'failed'], style: { head: [], border: [] } });
const sum = { passed: 0, failed: 0 };

function count(version, { passed, failed }) {
	table.push([version, passed, failed]);
	sum.passed += passed;
	sum.failed += failed;
}

const { failed: notReady } = await runSteps([
	['Install what is missing', ensureInstalled],
	['Build the package', ensurePackage],
	['Compile the tests and the stand-in service', ensureTests],
	...chosen.map((version) => [
		`Install the engine of n8n ${version}`,
		async () =>
			await ensureKit(`versions/${version}`, { cost: 'about 150 MB, kept for later runs' }),
	]),
]);
if (notReady || chosen.length === 0) {
	console.log(
		`\nNo test was run, since this failed: ${notReady ?? `there is no ${only} in test/versions`}`,
	);
	sum.failed += 1;
} else {
	for (const version of chosen) {
		const env = { ...process.env, WEB_DATA_N8N_ENGINE: kitFolder(`versions/${version}`) };
		const config = ['--config', 'test/versions/jest.config.cjs', ...tests];
		count(
			version,
			await runJest(`Run the tests in n8n ${version} (jest)`, '.build/versions.json', config, {
				env,
			}),
		);
	}
	console.log(`\n${table}`);
}
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
console.log(
	`\nVersions of n8n, in ${minutes} minutes:\n${sum.passed} passed, ${sum.failed} failed`,
);
process.exitCode = sum.failed === 0 ? 0 : 1;
