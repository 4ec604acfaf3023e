import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { ensureKit, kitFolder, must } from './kit.mjs';
import { Failure, execute, projectRoot } from './run.mjs';

const NATIVE = ['sqlite3', 'isolated-vm'];
const OLDEST_NODE = 24;

/** The earlier versions of n8n in which tests can be run. */
export const earlierVersions = readdirSync(join(projectRoot, 'test/n8n'), { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

/** The list of what an n8n needs: the newest one's is in test/n8n, an earlier one's in the folder of its version there. */
const kitOf = (version) => (version === undefined ? 'n8n' : `n8n/${version}`);

/** The folder of the n8n that test/n8n asks for, or of an earlier version. */
export const n8nFolder = (version) => kitFolder(kitOf(version));

const commands = (folder) => join(folder, 'node_modules', '.bin');

/** The Node that n8n needs: the installed one, or this very one where no package brings it. */
export function n8nNode(folder) {
	const installed = join(commands(folder), process.platform === 'win32' ? 'node.cmd' : 'node');
	if (existsSync(installed)) return installed;
	if (Number.parseInt(process.versions.node) >= OLDEST_NODE) return process.execPath;
	throw new Failure(
		`n8n needs Node ${OLDEST_NODE}, and there is no package of it for ${process.platform} ${process.arch}. Run this with Node ${OLDEST_NODE} or newer.`,
	);
}

/** Runs npm by n8n's own Node, so that what it compiles fits. */
async function runNpmOfN8n(args, folder) {
	const node = n8nNode(folder);
	const env = {
		...process.env,
		PATH: [commands(folder), process.env.PATH].join(delimiter),
		npm_config_nodedir: join(folder, 'node_modules', `node-${process.platform}-${process.arch}`),
	};
	const npm = process.env.npm_execpath;
	return npm?.endsWith('npm-cli.js')
		? await execute(node, [npm, ...args], { cwd: folder, env })
		: await execute('npm', args, { cwd: folder, env });
}

/** Compiles what is native, which npm leaves out without install scripts, and tries it. */
async function compile(folder) {
	await must(
		runNpmOfN8n(['rebuild', '--ignore-scripts=false', '--loglevel=error', ...NATIVE], folder),
		'Compiling sqlite3 (it needs g++, make and python3)',
	);
	const load = NATIVE.map((name) => `require('${name}')`).join(';');
	await must(execute(n8nNode(folder), ['-e', load], { cwd: folder }), 'Loading what was compiled');
}

/**
 * Makes sure that the n8n of test/n8n is installed, or an earlier version.
 * @throws {Failure} when npm or a compiler fails.
 */
export const ensureN8n = (version) =>
	ensureKit(kitOf(version), {
		cost: 'about 3 GB, kept for later runs; five to ten minutes the first time',
		complete: compile,
	});
