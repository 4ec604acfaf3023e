import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ensureBuilt } from './build.mjs';
import { projectRoot, runSteps, runTogether, runTool, step } from './run.mjs';

/** What a check says is shown only where it fails: several run at once. */
const quiet = { quiet: true };

/** What was found well formatted is not read again until it changes. */
const format = (mode) =>
	runTool(
		'prettier',
		'prettier',
		[
			mode,
			'--log-level=warn',
			'--cache',
			'--cache-strategy=content',
			'--cache-location=.build/prettier',
			'**/*.{ts,cts,mjs,cjs,js}',
		],
		quiet,
	);
const lintTests = (...fix) =>
	runTool('eslint', 'eslint', ['-c', 'test/eslint.config.mjs', ...fix, '.'], quiet);
const lintShipped = (...fix) => runTool('@n8n/node-cli', 'n8n-node', ['lint', ...fix], quiet);

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

export const test = {
	about:
		"Checks the types, builds, and runs the tests in n8n's engine: all, or those that it names, as in npm test -- engine/crawl.",
	passesOn: 'jest',
	async run(_values, rest) {
		const { failed } = await runSteps([ensureBuilt]);
		const tests = failed
			? { passed: 0, failed: 1 }
			: await runJest('Run the tests (jest)', '.build/jest.json', rest);
		console.log(`\n${tests.passed} passed, ${tests.failed} failed`);
		return tests.failed === 0 ? 0 : 1;
	},
};

export const check = {
	about:
		"Checks format, lint, dead code, patterns and the documentation's links, and does what n8n's reviewers do: their guidelines on the built nodes, their scanner on the source and on the packed package.",
	async run() {
		// They load what is installed only now.
		const { checkLinks, checkPatterns, ensureChecks, findDeadCode, scan } = await import(
			'./checks.mjs'
		);
		const { failed: notBuilt } = await runSteps([
			ensureBuilt,
			["Install the checks' own packages", ensureChecks],
		]);
		const checks = [
			["Scan source and tarball (n8n's scanner)", scan],
			['Patterns (every one linear)', checkPatterns],
			['Lint (n8n-node lint, strict)', lintShipped],
			['Lint tests and scripts (eslint)', lintTests],
			['Dead files, exports and dependencies (knip)', findDeadCode],
			['Format (prettier)', () => format('--check')],
			['Links of the documentation, words of README', checkLinks],
			[
				"n8n's UX guidelines on the built nodes",
				() => runTool('jest', 'jest', ['unit/WebData/guidelines'], quiet),
			],
		];
		const { passed, failed } = notBuilt
			? { passed: 0, failed: [notBuilt] }
			: await runTogether(checks);
		for (const title of failed) {
			const advice = /^(Format|Lint)/.test(title) ? '; npm run fix mends what mends itself' : '';
			console.log(`   ✖ ${title}: its reason is above${advice}`);
		}
		console.log(`\n${passed} passed, ${failed.length} failed`);
		return failed.length === 0 ? 0 : 1;
	},
};

export const fix = {
	about: 'Mends format and lint wherever they mend themselves: what ships, tests and scripts.',
	run: async () => {
		// What one cannot mend is said, and the next does its part all the same.
		const { failed } = await runTogether([
			['Lint what ships (n8n-node lint --fix)', () => lintShipped('--fix')],
			['Lint tests and scripts (eslint --fix)', () => lintTests('--fix')],
		]);
		const formatted = await runSteps([['Format (prettier --write)', () => format('--write')]]);
		return failed.length === 0 ? formatted.exitCode : 1;
	},
};
