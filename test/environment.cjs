const { join, sep } = require('node:path');
const { TestEnvironment: OwnGlobals } = require('jest-environment-node');
const SingleContext = require('jest-environment-node-single-context');

/** Its tests fake the clock and count its timers; they need no n8n. */
const withOwnGlobals = join('unit', 'runtime') + sep;

/** The process's own globals, so that files of tests can share packages (runtime.cjs). */
class SharedGlobals extends SingleContext {
	/** Jest keeps the tests of a file in the globals, under a symbol of that file, and with them all that they hold. */
	async teardown() {
		await super.teardown();
		for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
			if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
		}
	}
}

/** Globals that are shared, or its own for a file that fakes them. */
module.exports = function Environment(config, context) {
	const Chosen = context.testPath.includes(withOwnGlobals) ? OwnGlobals : SharedGlobals;
	return new Chosen(config, context);
};
