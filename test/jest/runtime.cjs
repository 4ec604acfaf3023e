const { sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

/** Takes the built pack out of Node's cache: a file of tests begins as a process of n8n's does. */
function forgetPack({ rootDir }) {
	for (const file of Object.keys(require.cache)) {
		if (file.startsWith(`${rootDir}${sep}dist${sep}`)) delete require.cache[file];
	}
}

/**
 * Jest loads every module anew for each file of tests. For n8n's engine those are thousands, and cold each time, which
 * was half of the time of all tests. Here Node itself loads packages, once per worker, and the built pack, which is
 * loaded anew for each file. What is the tests' own is loaded by Jest as ever.
 */
module.exports = class SharedPackages extends Runtime {
	constructor(config, ...more) {
		super(config, ...more);
		forgetPack(config);
	}

	requireModuleOrMock(from, name) {
		if (name === '@jest/globals' || this._resolver.isCoreModule(name)) {
			return super.requireModuleOrMock(from, name);
		}
		const file = this._resolveCjsModule(from, name);
		const isShared =
			file.includes(`${sep}node_modules${sep}`) ||
			file.startsWith(`${this._config.rootDir}${sep}dist${sep}`);
		return isShared ? require(file) : super.requireModuleOrMock(from, name);
	}

	resetModules() {
		super.resetModules();
		forgetPack(this._config);
	}
};
