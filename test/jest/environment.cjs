const { join, sep } = require('node:path');
const { TestEnvironment: OwnGlobals } = require('jest-environment-node');
const SharedGlobals = require('jest-environment-node-single-context');

/** Its tests fake the clock and count its timers; they need no n8n. */
const withOwnGlobals = join('unit', 'runtime') + sep;

/** The process's own globals, so that files of tests can share packages (runtime.cjs); globals of its own for a file that fakes them. */
module.exports = function Environment(config, context) {
	const Chosen = context.testPath.includes(withOwnGlobals) ? OwnGlobals : SharedGlobals;
	return new Chosen(config, context);
};
