import { buildPackage, buildTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runJest } from './jest.mjs';
import { execute, runSteps, runTool } from './run.mjs';

const code = ['**/*.{ts,cts,mjs,cjs,js}'];

const checks = await runSteps([
	['Install what is missing', ensureInstalled],
	['Build the package (n8n-node build, gulp build)', buildPackage],
	['Check the types of the tests and compile them', () => buildTests({ fresh: true })],
	[
		'Format (prettier)',
		() => runTool('prettier', 'prettier', ['--check', '--log-level=warn', ...code]),
	],
	['Lint (n8n-node lint, strict)', () => runTool('@n8n/node-cli', 'n8n-node', ['lint'])],
	[
		'Lint tests and scripts (eslint)',
		() => runTool('eslint', 'eslint', ['-c', 'test/eslint.config.mjs', '.']),
	],
	['Dead files, exports and dependencies (knip)', () => runTool('knip', 'knip', [])],
	['Patterns (every one linear)', () => execute(process.execPath, ['scripts/patterns.mjs'])],
	['Scan (source and tarball)', () => execute(process.execPath, ['scripts/scan.mjs'])],
]);
const tests = checks.failed
	? { passed: 0, failed: 0, notRun: 0 }
	: await runJest('Run the tests (jest)', '.build/jest.json', process.argv.slice(2));

console.log(
	checks.failed
		? `\n${checks.passed} checks passed, then this one failed and the rest was not run: ${checks.failed}`
		: `\n${checks.passed} checks (install, build, types, format, lint, dead code, patterns, scan) and ${tests.passed + tests.failed} tests:`,
);
const failed = (checks.failed ? 1 : 0) + tests.failed;
console.log(`${checks.passed + tests.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
