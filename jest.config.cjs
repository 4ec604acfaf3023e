/** Tests run as compiled by `npm run build:test`: the types are checked there, so jest transforms nothing. */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/.build/test'],
	testMatch: ['**/*.test.cjs'],
	moduleFileExtensions: ['js', 'cjs', 'json', 'node'],
	transform: {},
};
