import { buildPackage, buildTests } from './build.mjs';
import { runJest } from './jest.mjs';
import { execute, runSteps, runTogether, runTool } from './run.mjs';

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

/** Runs another command of package.json. */
const command = (...args) => execute(process.execPath, ['scripts/main.mjs', ...args], quiet);

/** Everything that is checked, then the tests, for which only what they run must be there. Resolves with an exit code. */
async function run(_values, rest) {
	let isBuilt = false;
	let isCompiled = false;
	const checks = [
		// The longest first, so that none is left alone at the end.
		[
			'Check the types of the tests and compile them',
			async () => {
				const exitCode = await buildTests();
				isCompiled = exitCode === 0;
				return exitCode;
			},
		],
		[
			'Build the package (n8n-node build, gulp build), scan source and tarball',
			async () => {
				const exitCode = await buildPackage();
				isBuilt = exitCode === 0;
				return exitCode || (await command('scan'));
			},
		],
		['Format (prettier)', () => format('--check')],
		['Lint tests and scripts (eslint)', lintTests],
		['Lint (n8n-node lint, strict)', lintShipped],
		['Patterns (every one linear)', () => command('patterns')],
		['Dead files, exports and dependencies (knip)', () => runTool('knip', 'knip', [], quiet)],
	];
	const checked = await runTogether(checks);
	const tests =
		isBuilt && isCompiled
			? await runJest('Run the tests (jest)', '.build/jest.json', rest)
			: { passed: 0, failed: 0 };
	const count = tests.passed + tests.failed;
	console.log(
		`\n${checks.length} checks (types, build, scan, format, lint, patterns, dead code) and ${count || 'no'} tests`,
	);
	for (const title of checked.failed) {
		const advice = /^(Format|Lint)/.test(title) ? '; npm run fix mends what mends itself' : '';
		console.log(`   ✖ ${title}: its reason is above${advice}`);
	}
	const failed = checked.failed.length + tests.failed;
	console.log(`${checked.passed + tests.passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

export const test = {
	about:
		"Builds, checks types, format, lint, dead code and patterns, and runs all tests in n8n's engine.",
	passesOn: 'jest',
	run,
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
