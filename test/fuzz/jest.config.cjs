/** The fuzz runs of faults and hostile input, started by npm run test:fuzz, which sets their seed and their size. */
module.exports = {
	...require('../../jest.config.cjs'),
	rootDir: '../..',
	roots: ['<rootDir>/.build/test/fuzz'],
	testPathIgnorePatterns: [],
	testTimeout: 600_000,
	maxWorkers: 2,
};
