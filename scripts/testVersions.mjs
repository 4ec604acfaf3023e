import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ensureBuilt } from './build.mjs';
import { ensureKit, kitFolder } from './install.mjs';
import { Failure, minutesSoFar, projectRoot, runSteps } from './run.mjs';
import { runJest } from './test.mjs';

/** Tests that touch every facility of n8n that the pack uses. */
const tests = [
	'unit/runtime/values/',
	'unit/runtime/http/client.test',
	'unit/runtime/execution/atEnd.test',
	'cases/cases.test',
	'engine/loading.test',
	'engine/batch/run.test',
	'engine/crawl/run.test',
	'engine/file/parse.test',
	'engine/search/credential.test',
	'engine/search/failures.test',
	'engine/asTool.test',
	'engine/pollingTrigger/monitor.test',
	'engine/pollingTrigger/page.test',
	'engine/pollingTrigger/search.test',
	'engine/session/session.test',
	'engine/stop.test',
	'engine/tool/execute.test',
	'engine/trigger/calls.test',
];

/** Jest passes over a name that no file has. @throws {Failure} for such a name */
function checkTests() {
	const missing = tests.filter(
		(name) => !existsSync(join(projectRoot, 'test', name.endsWith('/') ? name : `${name}.cts`)),
	);
	if (missing.length > 0) {
		throw new Failure(
			`There is no test ${missing.join(', ')}: correct the list in scripts/testVersions.mjs`,
		);
	}
}

const inOrder = (one, other) => one.localeCompare(other, 'en', { numeric: true });

/** What n8n may bring one day in its zod's place. */
const ZOD = 'zod-4';

/** The engines of n8n that tools/versions lists, the oldest first. */
const engines = readdirSync(join(projectRoot, 'tools/versions'), { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && entry.name !== ZOD)
	.map(({ name }) => name)
	.sort(inOrder);

/** Each row of the table: its name, the kit of its versions, and what is run in it. The newest engine's tests are `npm test`. */
const rows = [
	...engines.map((name) => ({ name, kit: `tools/versions/${name}`, tests })),
	{ name: ZOD, kit: `tools/versions/${ZOD}`, tests: ['unit/'] },
];

/** Runs the tests of a row. Resolves with the counts. */
async function runRow({ name, kit, tests: files }) {
	const started = performance.now();
	const title = `Run the tests with ${name} (jest)`;
	const env = { ...process.env, WEB_DATA_VERSIONS: kitFolder(kit) };
	const args = ['--config', 'tools/versions/jest.config.cjs', ...files];
	const { passed, failed } = await runJest(title, '.build/versions.json', args, { env });
	return { name, passed, failed, seconds: Math.round((performance.now() - started) / 1000) };
}

/** Everything up to the tests. Resolves with what failed. */
const prepare = async (chosen) =>
	await runSteps([
		['Find the tests', checkTests],
		ensureBuilt,
		...chosen.map(({ name, kit }) => [
			`Install ${name}`,
			async () => await ensureKit(kit, { cost: 'at most 150 MB, kept for later runs' }),
		]),
	]);
/** Runs the chosen rows and prints their table. Resolves with the counts. */
async function runRows(chosen) {
	const table = {};
	const sum = { passed: 0, failed: 0 };
	for (const row of chosen) {
		const { name, ...result } = await runRow(row);
		table[name] = result;
		sum.passed += result.passed;
		sum.failed += result.failed;
	}
	console.log();
	console.table(table);
	return sum;
}

export const testVersions = {
	about:
		'Runs what leans on n8n most in the engines of several versions, and the unit tests with zod 4.',
	takes: {
		value: '[ROW…]',
		about: `some of ${rows.map(({ name }) => name).join(', ')}`,
		choices: rows.map(({ name }) => name),
	},
	async run(_values, names) {
		const chosen = names.length === 0 ? rows : rows.filter(({ name }) => names.includes(name));
		const { failed: notReady } = await prepare(chosen);
		if (notReady) console.log(`\nNo test was run, since this failed: ${notReady}`);
		const { passed, failed } = notReady ? { passed: 0, failed: 1 } : await runRows(chosen);
		console.log(
			`\nVersions of n8n, in ${minutesSoFar()} minutes:\n${passed} passed, ${failed} failed`,
		);
		return failed === 0 ? 0 : 1;
	},
};
