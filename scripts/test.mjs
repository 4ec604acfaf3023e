import { buildPackage, buildTests } from './build.mjs';
import { runJest } from './jest.mjs';
import { execute, runTogether, runTool } from './run.mjs';

/** What was found well formatted is not read again until it changes. */
const format = [
	'--check',
	'--log-level=warn',
	'--cache',
	'--cache-strategy=content',
	'--cache-location=.build/prettier',
	'**/*.{ts,cts,mjs,cjs,js}',
];
/** What a check says is shown only where it fails: several run at once. */
const quiet = { quiet: true };

/** Runs another command of package.json. */
const command = (...args) => execute(process.execPath, ['scripts/main.mjs', ...args], quiet);

const buildAndScan = async () => (await buildPackage()) || (await command('scan'));

/** The longest first, so that none is left alone at the end. */
const checks = [
	['Check the types of the tests and compile them', buildTests],
	['Build the package (n8n-node build, gulp build), scan source and tarball', buildAndScan],
	['Format (prettier)', () => runTool('prettier', 'prettier', format, quiet)],
	[
		'Lint tests and scripts (eslint)',
		() => runTool('eslint', 'eslint', ['-c', 'test/eslint.config.mjs', '.'], quiet),
	],
	['Lint (n8n-node lint, strict)', () => runTool('@n8n/node-cli', 'n8n-node', ['lint'], quiet)],
	['Patterns (every one linear)', () => command('patterns')],
	['Dead files, exports and dependencies (knip)', () => runTool('knip', 'knip', [], quiet)],
];

export const test = {
	about:
		"Builds, checks types, format, lint, dead code and patterns, and runs all tests in n8n's engine.",
	passesOn: 'jest',
	async run(_values, rest) {
		const checked = await runTogether(checks);
		const tests = checked.failed
			? { passed: 0, failed: 0 }
			: await runJest('Run the tests (jest)', '.build/jest.json', rest);
		console.log(
			checked.failed
				? `\n${checked.passed} checks passed; no test was run, since this failed: ${checked.failed}`
				: `\n${checked.passed} checks (types, build, scan, format, lint, patterns, dead code) and ${tests.passed + tests.failed} tests:`,
		);
		const failed = (checked.failed ? 1 : 0) + tests.failed;
		console.log(`${checked.passed + tests.passed} passed, ${failed} failed`);
		return failed === 0 ? 0 : 1;
	},
};
