const {
	runtime,
	testEnvironment,
	maxWorkers,
	workerIdleMemoryLimit,
	...base
} = require('../../jest.config.cjs');

/** The unit tests of the shared rooms and of the operations, as Stryker runs them: in its own processes, by Jest's own runtime. */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/.build/test/unit'],
	testMatch: ['**/unit/{runtime,WebData}/**/*.test.cjs'],
	testPathIgnorePatterns: [
		// They read the built package, in which nothing is changed.
		'WebData/(addedFields|editorWords|placeholders|waitFields)\\.test',
		'WebData/resources/onDemand\\.test',
		// It counts the pages of all installed packages, which Stryker's copy only links.
		'untrusted/cleanPages\\.test',
	],
	// A test that hangs on a changed line has failed.
	testTimeout: 5_000,
};
