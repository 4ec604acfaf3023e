import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildPackage, buildTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { execute, projectRoot, runSteps, runTool, step } from './run.mjs';

const JEST_RESULTS = '.build/jest.json';

/** Runs jest; resolves with the counts. What was skipped or could not run failed: nothing passes unseen. */
async function runJest() {
	const exitCode = await step('Run the tests (jest)', () =>
		runTool('jest', 'jest', ['--json', `--outputFile=${JEST_RESULTS}`, ...process.argv.slice(2)]),
	);
	const path = join(projectRoot, JEST_RESULTS);
	if (!existsSync(path)) return { passed: 0, failed: 1, notRun: 0 };
	const results = JSON.parse(readFileSync(path, 'utf8'));
	const notRun = results.numPendingTests + results.numTodoTests + results.numRuntimeErrorTestSuites;
	const failed = results.numFailedTests + notRun;
	// Jest can also fail as a whole, for example when it finds no test.
	return {
		passed: results.numPassedTests,
		failed: failed === 0 && exitCode !== 0 ? 1 : failed,
		notRun,
	};
}

const checks = await runSteps([
	['Install what is missing', ensureInstalled],
	['Build the package (n8n-node build, gulp build)', buildPackage],
	['Check the types of the tests and compile them', () => buildTests({ fresh: true })],
	['Lint (n8n-node lint, strict)', () => runTool('@n8n/node-cli', 'n8n-node', ['lint'])],
	['Scan (source and tarball)', () => execute(process.execPath, ['scripts/scan.mjs'])],
]);
const tests = checks.failed ? { passed: 0, failed: 0, notRun: 0 } : await runJest();

if (tests.notRun > 0) {
	console.log(`\n${tests.notRun} tests or test files did not run; they count as failed.`);
}
console.log(
	checks.failed
		? `\n${checks.passed} checks passed, then this one failed and the rest was not run: ${checks.failed}`
		: `\n${checks.passed} checks (install, build, types, lint, scan) and ${tests.passed + tests.failed} tests:`,
);
const failed = (checks.failed ? 1 : 0) + tests.failed;
console.log(`${checks.passed + tests.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
