/** The tests in the real n8n: started by npm run test:n8n, two files at once, since each runs an n8n and mostly waits for it. */
module.exports = {
	...require('../../jest.config.cjs'),
	rootDir: '../..',
	modulePaths: ['<rootDir>/test/node_modules'],
	roots: ['<rootDir>/.build/test/n8n'],
	testPathIgnorePatterns: [],
	testTimeout: 300_000,
	maxWorkers: 2,
};
