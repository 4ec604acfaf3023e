import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot, runTool, step } from './run.mjs';

/**
 * Runs jest as a step of that title, its report kept in the file `results`; resolves with the counts.
 * What was skipped or could not run failed: nothing passes unseen.
 */
export async function runJest(title, results, args, options) {
	const path = join(projectRoot, results);
	rmSync(path, { force: true });
	const exitCode = await step(title, () =>
		runTool('jest', 'jest', ['--json', `--outputFile=${path}`, ...args], options),
	);
	if (!existsSync(path)) return { passed: 0, failed: 1 };
	const report = JSON.parse(readFileSync(path, 'utf8'));
	const notRun = report.numPendingTests + report.numTodoTests + report.numRuntimeErrorTestSuites;
	if (notRun > 0) {
		console.log(`\n${notRun} tests or test files did not run; they count as failed.`);
	}
	const failed = report.numFailedTests + notRun;
	// Jest can also fail as a whole, for example when it finds no test.
	return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}
