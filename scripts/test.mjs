import { buildPackage, buildTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runJest } from './jest.mjs';
import { execute, runSteps, runTogether, runTool } from './run.mjs';

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

const buildAndScan = async () =>
	(await buildPackage()) || (await execute(process.execPath, ['scripts/scan.mjs'], quiet));

const installed = await runSteps([['Install what is missing', ensureInstalled]]);
// The longest first, so that none is left alone at the end.
const checked = installed.failed
	? installed
	: await runTogether([
			['Check the types of the tests and compile them', buildTests],
			['Build the package (n8n-node build, gulp build), scan source and tarball', buildAndScan],
			['Format (prettier)', () => runTool('prettier', 'prettier', format, quiet)],
			[
				'Lint tests and scripts (eslint)',
				() => runTool('eslint', 'eslint', ['-c', 'test/eslint.config.mjs', '.'], quiet),
			],
			['Lint (n8n-node lint, strict)', () => runTool('@n8n/node-cli', 'n8n-node', ['lint'], quiet)],
			[
				'Patterns (every one linear)',
				() => execute(process.execPath, ['scripts/patterns.mjs'], quiet),
			],
			['Dead files, exports and dependencies (knip)', () => runTool('knip', 'knip', [], quiet)],
		]);
const tests = checked.failed
	? { passed: 0, failed: 0, notRun: 0 }
	: await runJest('Run the tests (jest)', '.build/jest.json', process.argv.slice(2));

const checks = installed.failed ? 0 : installed.passed + checked.passed;
console.log(
	checked.failed
		? `\n${checks} checks passed; no test was run, since this failed: ${checked.failed}`
		: `\n${checks} checks (install, types, build, scan, format, lint, patterns, dead code) and ${tests.passed + tests.failed} tests:`,
);
const failed = (checked.failed ? 1 : 0) + tests.failed;
console.log(`${checks + tests.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
