const { url: debuggerUrl } = require('node:inspector');
const { availableParallelism } = require('node:os');

/** Jest's worker processes have no debugger, and any limit of their memory has tests run in them. */
const workers =
	debuggerUrl() === undefined
		? {
				// One more than there are cores: some files mostly wait, for processes that they start.
				maxWorkers: availableParallelism() + 1,
				// n8n's engine leaves much behind; a process that has grown makes place for a new one.
				workerIdleMemoryLimit: '1GB',
			}
		: { maxWorkers: 1 };

/** Tests run as compiled by `npm test`: the types are checked there, so jest transforms nothing. */
module.exports = {
	testEnvironment: '<rootDir>/test/environment.cjs',
	runtime: '<rootDir>/test/runtime.cjs',
	roots: ['<rootDir>/.build/bench', '<rootDir>/.build/test', '<rootDir>/.build/tools'],
	testMatch: ['**/*.test.cjs'],
	// With a configuration of their own: those that need the real n8n, and the campaigns of faults.
	testPathIgnorePatterns: ['<rootDir>/.build/test/n8n/', '<rootDir>/.build/test/fuzz/'],
	...workers,
	// Time is never what a test is about: a busy machine only makes it slower.
	testTimeout: 60_000,
	moduleFileExtensions: ['js', 'cjs', 'json', 'node'],
	transform: {},
};
