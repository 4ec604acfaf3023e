const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const {
	runtime,
	testEnvironment,
	maxWorkers,
	workerIdleMemoryLimit,
	...base
} = require('../../jest.config.cjs');

const units = join(__dirname, '../unit');
/** The unit tests that read the built package, in which nothing is changed. */
const ofBuiltPackage = readdirSync(units, { recursive: true })
	.filter((file) => file.endsWith('.test.cts'))
	.filter((file) => /builtNode|'dist\//.test(readFileSync(join(units, file), 'utf8')));

/** The unit tests of the shared rooms and of the operations, as Stryker runs them: in its own processes, by Jest's own runtime. */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/.build/test/unit'],
	testMatch: ['**/unit/{runtime,WebData}/**/*.test.cjs'],
	testPathIgnorePatterns: [
		...ofBuiltPackage.map((file) => `/unit/${file.replace(/\.cts$/, '.cjs')}$`),
		// It counts the pages of all installed packages, which Stryker's copy only links.
		'untrusted/cleanPages\\.test',
	],
	// A test that hangs on a changed line has failed.
	testTimeout: 5_000,
};
