import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { ensureBuilt } from './build.mjs';
import { ensureKit, kitFolder, must } from './install.mjs';
import { Failure, execute, projectRoot, runNpm } from './run.mjs';

const NATIVE = ['sqlite3', 'isolated-vm'];
const OLDEST_NODE = 24;

/** The earlier versions of n8n in which tests can be run. */
export const earlierVersions = readdirSync(join(projectRoot, 'test/n8n'), { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

/** The list of what an n8n needs: the newest one's is in test/n8n, an earlier one's in the folder of its version there. */
const kitOf = (version) => (version === undefined ? 'test/n8n' : `test/n8n/${version}`);

/** The folder of the n8n that test/n8n asks for, or of an earlier version. */
const n8nFolder = (version) => kitFolder(kitOf(version));

const commands = (folder) => join(folder, 'node_modules', '.bin');

/** The Node that n8n needs: the installed one, or this very one where no package brings it. */
function n8nNode(folder) {
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
 * @public .ci/run begins with it.
 * @throws {Failure} when npm or a compiler fails.
 */
export const ensureN8n = (version) =>
	ensureKit(kitOf(version), {
		cost: 'about 3 GB, kept for later runs; five to fifteen minutes the first time',
		complete: compile,
		completing: 'a compiler makes sqlite3 and isolated-vm, which takes minutes',
	});

/** Packs the checkout as npm would publish it and resolves with the tarball's path in `folder`. */
export async function packPackage(folder) {
	const packed = await runNpm(
		['pack', '--ignore-scripts', '--silent', '--pack-destination', folder],
		{ stdio: ['ignore', 'ignore', 'inherit'] },
	);
	const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
	if (packed !== 0 || !tarball) throw new Failure('npm pack failed');
	return join(folder, tarball);
}

/** The environment of a program that runs n8n, the newest or the said one, in a work folder: see test/n8n/surroundings.cts. */
export function surroundings(work, more = {}, version) {
	const n8n = n8nFolder(version);
	return {
		...process.env,
		TMPDIR: work,
		WEB_DATA_WORK: work,
		WEB_DATA_N8N: n8n,
		WEB_DATA_NODE: n8nNode(n8n),
		...more,
	};
}

/** The steps before a program can run the pack in n8n; `packed` is told where the tarball is. */
export const preparation = (work, packed, version) => [
	['Install n8n', async () => await ensureN8n(version)],
	ensureBuilt,
	['Pack the package', async () => packed(await packPackage(work))],
];

/** The first of the commands that is on the path, or in one of the other folders. */
function findCommand(names, folders = []) {
	const { PATH = '' } = process.env;
	return names
		.flatMap((name) => [...PATH.split(delimiter), ...folders].map((folder) => join(folder, name)))
		.find(existsSync);
}

/** The Chromium to drive: the one that WEB_DATA_CHROMIUM names, or the first on the path; else undefined. */
export const chromium = () =>
	process.env.WEB_DATA_CHROMIUM || findCommand(['chromium', 'chromium-browser', 'google-chrome']);

/** The server of Redis; undefined when there is none. */
export const redis = () => findCommand(['redis-server']);

/** Where Debian keeps the programs of PostgreSQL, a folder for each version. */
const VERSIONS = '/usr/lib/postgresql';

const postgresFolders = () =>
	existsSync(VERSIONS)
		? readdirSync(VERSIONS)
				.sort((one, other) => Number(other) - Number(one))
				.map((version) => join(VERSIONS, version, 'bin'))
		: [];

/** The server of PostgreSQL, its other programs beside it; undefined when there is none. */
export function postgres() {
	const found = findCommand(['postgres'], postgresFolders());
	// On the path there may be links to some of the programs.
	return found && realpathSync(found);
}

/** What some tests in n8n need beside Node: nothing installs it but .ci/debian.sh. */
const PROGRAMS = [
	{
		name: 'Chromium',
		find: chromium,
		packages: 'chromium fonts-liberation',
		tests: [
			'addedFields.test',
			'clicks.test',
			'converterPage.test',
			'editor.test',
			'pictures.test',
			'panels.pictures',
		],
	},
	{ name: 'Redis', find: redis, packages: 'redis-server', tests: ['queue.test'] },
	{ name: 'PostgreSQL', find: postgres, packages: 'postgresql', tests: ['queue.test'] },
];

/** The programs that are not there, with the tests that need them. */
export const missingPrograms = () => PROGRAMS.filter(({ find }) => find() === undefined);

/** Which tests cannot be run without a program, and how to get it. */
export const adviceOn = ({ name, packages, tests }) =>
	`${name} is not on the path, so these are not run: ${tests.join(', ')}. On Debian: apt-get install ${packages}`;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Ends a process and those that it started: they are one group. */
function endGroup(pid) {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
}

/**
 * Does the work with a folder of its own, in which it may note the process groups that it starts, as
 * `processes/<id>`. Whatever becomes of the work, none of them and nothing of the folder is left.
 */
export async function withWorkFolder(work) {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'web-data-n8n-')));
	// What is interrupted ends as failed, and is cleaned up all the same.
	const goOn = () => {};
	for (const signal of SIGNALS) process.on(signal, goOn);
	// A kill may reach npm or its shell only: whoever started this is gone then.
	const { ppid } = process;
	const orphaned = setInterval(() => {
		if (process.ppid !== ppid) process.kill(process.pid, 'SIGTERM');
	}, 1000);
	try {
		return await work(folder);
	} finally {
		clearInterval(orphaned);
		const processes = join(folder, 'processes');
		if (existsSync(processes)) readdirSync(processes).map(Number).forEach(endGroup);
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
		for (const signal of SIGNALS) process.off(signal, goOn);
	}
}
