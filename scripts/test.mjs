import { buildPackage, buildTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runJest } from './jest.mjs';
import { execute, runSteps, runTogether, runTool } from './run.mjs';

const code = ['**/*.{ts,cts,mjs,cjs,js}'];
/** What a check says is shown only where it fails: several run at once. */
const quiet = { quiet: true };

const prepared = await runSteps([
	['Install what is missing', ensureInstalled],
	['Build the package (n8n-node build, gulp build)', buildPackage],
]);
// The longest first, so that none is left alone at the end.
const checked = prepared.failed
	? prepared
	: await runTogether([
			['Check the types of the tests and compile them', () => buildTests({ fresh: true })],
			[
				'Format (prettier)',
				() => runTool('prettier', 'prettier', ['--check', '--log-level=warn', ...code], quiet),
			],
			[
				'Lint tests and scripts (eslint)',
				() => runTool('eslint', 'eslint', ['-c', 'test/eslint.config.mjs', '.'], quiet),
			],
			['Lint (n8n-node lint, strict)', () => runTool('@n8n/node-cli', 'n8n-node', ['lint'], quiet)],
			['Scan (source and tarball)', () => execute(process.execPath, ['scripts/scan.mjs'], quiet)],
			[
				'Patterns (every one linear)',
				() => execute(process.execPath, ['scripts/patterns.mjs'], quiet),
			],
			['Dead files, exports and dependencies (knip)', () => runTool('knip', 'knip', [], quiet)],
		]);
const checks = {
	passed: prepared.passed + (prepared.failed ? 0 : checked.passed),
	failed: checked.failed,
};
const tests = checks.failed
	? { passed: 0, failed: 0, notRun: 0 }
	: await runJest('Run the tests (jest)', '.build/jest.json', process.argv.slice(2));

console.log(
	checks.failed
		? `\n${checks.passed} checks passed; no test was run, since this failed: ${checks.failed}`
		: `\n${checks.passed} checks (install, build, types, format, lint, dead code, patterns, scan) and ${tests.passed + tests.failed} tests:`,
);
const failed = (checks.failed ? 1 : 0) + tests.failed;
console.log(`${checks.passed + tests.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
