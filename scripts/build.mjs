import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

import { ensureClients } from './install.mjs';
import { projectRoot, readStamp, runTool, writeStamp } from './run.mjs';

const PACKAGE_SOURCES = [
	'credentials',
	'icons',
	'nodes',
	'gulpfile.js',
	'package.json',
	'tsconfig.json',
];
const TEST_SOURCES = ['bench', 'credentials', 'nodes', 'test', 'tools', 'tsconfig.json'];
const TEST_OUTPUTS = ['.build/bench', '.build/test', '.build/tools'];
const PACKAGE_STAMP = '.build/package.stamp';
const TEST_STAMP = '.build/test.stamp';
const DEMO_STAMP = '.build/demo.stamp';

/** Every file below `path` (a file or a folder, relative to the checkout), sorted. */
function filesBelow(path) {
	const absolute = join(projectRoot, path);
	if (!existsSync(absolute)) return [];
	if (statSync(absolute).isFile()) return [path];
	return readdirSync(absolute, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)))
		.sort();
}

/** A hash of the names and contents of all files below `paths`. */
function fingerprint(paths) {
	const hash = createHash('sha256');
	for (const file of paths.flatMap(filesBelow)) {
		hash
			.update(`${file}\0`)
			.update(readFileSync(join(projectRoot, file)))
			.update('\0');
	}
	return hash.digest('hex');
}

const sourcesAndOutput = (sources, outputs) => `${fingerprint(sources)} ${fingerprint(outputs)}`;

function upToDate() {
	console.log('   up to date');
	return 0;
}

/** n8n's build, which clears dist, and then what it leaves undone (gulpfile.js). Resolves with an exit code. */
export async function buildPackage() {
	const exitCode =
		(await runTool('@n8n/node-cli', 'n8n-node', ['build'], { quiet: true })) ||
		(await runTool('gulp', 'gulp', ['build'], { quiet: true }));
	if (exitCode === 0) writeStamp(PACKAGE_STAMP, sourcesAndOutput(PACKAGE_SOURCES, ['dist']));
	return exitCode;
}

/** Removes what is compiled of tests that are gone: jest would run it. */
function removeStale() {
	for (const file of TEST_OUTPUTS.flatMap(filesBelow)) {
		const source = relative('.build', file).replace(/\.cjs$/, '.cts');
		if (file.endsWith('.cjs') && !existsSync(join(projectRoot, source))) {
			rmSync(join(projectRoot, file));
		}
	}
}

/** Checks the types of test/ (tests, mock server, demo) and compiles what has changed into .build. Resolves with an exit code. */
async function buildTests() {
	removeStale();
	const exitCode = await runTool('typescript-7', 'tsc', ['-p', 'test/tsconfig.json'], {
		quiet: true,
	});
	if (exitCode === 0) writeStamp(TEST_STAMP, sourcesAndOutput(TEST_SOURCES, TEST_OUTPUTS));
	return exitCode;
}

/** Compiles the converter of workflows alone. Resolves with an exit code. */
export const buildConverter = () =>
	runTool('typescript-7', 'tsc', ['-p', 'tools/convert/tsconfig.json'], { quiet: true });

/** Compiles the demo and the mock server alone, without checking types. Resolves with an exit code. */
async function buildDemo() {
	// The compiler of the tests goes on from what it has written itself, which the demo's compiler replaces in part.
	rmSync(join(projectRoot, '.build/test/tsbuildinfo'), { force: true });
	const exitCode = await runTool('typescript-7', 'tsc', ['-p', 'tools/demo/tsconfig.json'], {
		quiet: true,
	});
	if (exitCode === 0) writeStamp(DEMO_STAMP, sourcesAndOutput(TEST_SOURCES, TEST_OUTPUTS));
	return exitCode;
}

/** The package in dist, built only when its sources have changed. Resolves with an exit code. */
export function ensurePackage() {
	return readStamp(PACKAGE_STAMP) === sourcesAndOutput(PACKAGE_SOURCES, ['dist'])
		? upToDate()
		: buildPackage();
}

/** The compiled test folder, built only when its sources have changed. Resolves with an exit code. */
async function ensureTests() {
	await ensureClients();
	return readStamp(TEST_STAMP) === sourcesAndOutput(TEST_SOURCES, TEST_OUTPUTS)
		? upToDate()
		: buildTests();
}

/** The step before anything that needs both. */
export const ensureBuilt = [
	'Build the package, compile the tests and the mock server',
	async () => Math.max(...(await Promise.all([ensurePackage(), ensureTests()]))),
];

/** The compiled demo and mock server, built only when their sources have changed. Resolves with an exit code. */
export function ensureDemo() {
	const wanted = sourcesAndOutput(TEST_SOURCES, TEST_OUTPUTS);
	const isThere = [TEST_STAMP, DEMO_STAMP].some((stamp) => readStamp(stamp) === wanted);
	return isThere ? upToDate() : buildDemo();
}
