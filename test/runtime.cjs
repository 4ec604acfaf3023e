const { sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const packages = `${sep}node_modules${sep}`;
const packIn = (rootDir) => `${rootDir}${sep}dist${sep}`;

/** Takes the built pack out of Node's cache: a file of tests begins as a process of n8n's does. */
function forgetPack(rootDir) {
	const pack = packIn(rootDir);
	for (const file of Object.keys(require.cache)) {
		if (file.startsWith(pack)) delete require.cache[file];
	}
}

/**
 * Jest loads every module anew for each file of tests. For n8n's engine those are thousands, and cold each time, which
 * was half of the time of all tests. Here Node itself loads packages, once per worker, and the built pack, which is
 * loaded anew for each file. What is the tests' own is loaded by Jest as ever, and everything where a file has globals of
 * its own (environment.cjs).
 */
module.exports = class SharedPackages extends Runtime {
	constructor(config, environment, ...more) {
		super(config, environment, ...more);
		this.sharesGlobals = environment.global === globalThis;
		forgetPack(config.rootDir);
	}

	requireModuleOrMock(from, name) {
		const isJests = name === '@jest/globals' || this._resolver.isCoreModule(name);
		if (!this.sharesGlobals || isJests) return super.requireModuleOrMock(from, name);
		const file = this._resolveCjsModule(from, name);
		const isShared = file.includes(packages) || file.startsWith(packIn(this._config.rootDir));
		return isShared ? require(file) : super.requireModuleOrMock(from, name);
	}

	resetModules() {
		super.resetModules();
		forgetPack(this._config.rootDir);
	}
};
