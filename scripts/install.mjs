import { createHash } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	realpathSync,
	renameSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { Failure, INTERRUPTED, projectRoot, readStamp, runNpm, writeStamp } from './run.mjs';

const OLDEST_NODE = '20.19.0';
const STAMP = 'node_modules/.installed-for';

const isOlder = (version, than) => version.localeCompare(than, 'en', { numeric: true }) < 0;

/** What decides which packages are installed: the lockfile and the dependency lists. */
function wanted() {
	const { dependencies, devDependencies, optionalDependencies, peerDependencies } = JSON.parse(
		readFileSync(join(projectRoot, 'package.json'), 'utf8'),
	);
	const lock = join(projectRoot, 'package-lock.json');
	return createHash('sha256')
		.update(JSON.stringify([dependencies, devDependencies, optionalDependencies, peerDependencies]))
		.update(existsSync(lock) ? readFileSync(lock) : '')
		.digest('hex');
}

/**
 * Makes sure that node_modules holds what package.json and the lockfile ask for. Resolves with an exit code.
 * @throws {Failure} when this Node is too old or npm fails.
 */
export async function ensureInstalled() {
	if (isOlder(process.versions.node, OLDEST_NODE)) {
		throw new Failure(
			`Node ${OLDEST_NODE} or newer is needed, this is ${process.versions.node}. Install a newer one from nodejs.org and try again.`,
		);
	}
	if (readStamp(STAMP) === wanted()) {
		console.log('   up to date');
		return 0;
	}
	console.log('   about 375 MB; a minute or two the first time');
	// It refuses a lockfile that does not fit package.json or lacks another platform's optional packages.
	const exitCode = await runNpm(
		['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'],
		{ quiet: true },
	);
	if (exitCode === INTERRUPTED) return exitCode;
	if (exitCode !== 0) {
		throw new Failure(
			`npm ci failed (exit code ${exitCode}); its reason is above. Check the network and the registry npm uses (npm config get registry), then run the same command again.`,
		);
	}
	writeStamp(STAMP, wanted());
	return 0;
}

const STAGING = 'installing-';

/** Milliseconds between two lines of progress, if a caller says nothing else. */
const PROGRESS = 15_000;

function userCache() {
	if (process.platform === 'win32') {
		return process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
	}
	if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
	return process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
}

/** Where installed kits are kept between runs. */
const cacheFolder = () => process.env.WEB_DATA_CACHE || join(userCache(), 'n8n-nodes-web-data');

const manifestOf = (name) => join(projectRoot, name, 'package.json');

/**
 * The folder in which the packages are installed that <name>/package.json lists: a kit, outside the checkout.
 * Another list is another folder.
 */
export function kitFolder(name) {
	const hash = createHash('sha256')
		.update(`${process.platform} ${process.arch}`)
		.update(readFileSync(manifestOf(name)));
	return join(cacheFolder(), `${name}-${hash.digest('hex').slice(0, 12)}`);
}

function isAlive(pid) {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/** The process that fills a folder in which a kit is installed. */
const installerOf = (name) => Number.parseInt(name.slice(STAGING.length));

/** Installations that were killed leave their folder behind. */
function sweep(cache) {
	for (const name of readdirSync(cache).filter((entry) => entry.startsWith(STAGING))) {
		if (!isAlive(installerOf(name))) {
			rmSync(join(cache, name), { recursive: true, force: true });
		}
	}
}

/** The running process that installs this kit, if one does. */
const installerIn = (cache, kit) =>
	readdirSync(cache)
		.filter((name) => name.startsWith(STAGING) && name.endsWith(`-${kit}`))
		.map(installerOf)
		.find(isAlive);

/** Waits until no other run installs this kit. */
async function othersEnd(cache, kit, every) {
	for (let other = installerIn(cache, kit); other; other = installerIn(cache, kit)) {
		console.log(`   another run installs it (process ${other}): waiting for that`);
		await setTimeout(every);
	}
}

/** Reports what an installation waits for, from time to time. */
function reportProgress(staging, every) {
	const begun = Date.now();
	/** Npm makes all folders before it fills them. */
	const npmDoes = () => {
		const modules = join(staging, 'node_modules');
		const count = existsSync(modules) ? readdirSync(modules).length : 0;
		return count === 0 ? 'npm looks up versions' : `npm downloads and unpacks ${count} packages`;
	};
	const progress = { doing: npmDoes, end: () => clearInterval(timer) };
	const timer = setInterval(() => {
		console.log(`   ${Math.round((Date.now() - begun) / 1000)} s: ${progress.doing()}`);
	}, every);
	return progress;
}

/** Does a part of an installation. @throws {Failure} when it exits with another code than 0. */
export async function must(work, what) {
	const exitCode = await work;
	if (exitCode !== 0) {
		throw new Failure(`${what} failed (exit code ${exitCode}); its reason is above.`);
	}
}

/**
 * Makes sure that the kit <name> is installed, in a folder of the user's cache (WEB_DATA_CACHE
 * names another). It takes its place there only when it is complete; `complete` does what npm leaves to do, in words
 * `completing`.
 * @throws {Failure} when npm fails.
 */
export async function ensureKit(
	name,
	{
		cost,
		npmOptions = [],
		complete = async () => {},
		completing = 'the end',
		progressEvery = PROGRESS,
	},
) {
	const folder = kitFolder(name);
	if (existsSync(folder)) {
		console.log('   up to date');
		return;
	}
	console.log(`   ${cost}`);
	const cache = cacheFolder();
	mkdirSync(cache, { recursive: true });
	sweep(cache);
	const kit = basename(folder);
	await othersEnd(cache, kit, progressEvery);
	if (existsSync(folder)) return;
	const staging = join(cache, `${STAGING}${process.pid}-${kit}`);
	mkdirSync(staging);
	const progress = reportProgress(staging, progressEvery);
	try {
		copyFileSync(manifestOf(name), join(staging, 'package.json'));
		// The day pins what the listed packages bring, as a lockfile would in thousands of lines.
		const { asOf } = JSON.parse(readFileSync(manifestOf(name), 'utf8'));
		// Some install scripts fetch from elsewhere.
		const options = [
			`--before=${asOf}`,
			'--ignore-scripts',
			'--no-package-lock',
			'--no-audit',
			'--no-fund',
			'--loglevel=error',
		];
		await must(
			runNpm(['install', ...options, ...npmOptions], { cwd: staging }),
			`npm install of what ${name} lists`,
		);
		progress.doing = () => completing;
		await complete(staging);
		// Another run may have been faster.
		mkdirSync(dirname(folder), { recursive: true });
		if (!existsSync(folder)) renameSync(staging, folder);
	} finally {
		progress.end();
		rmSync(staging, { recursive: true, force: true });
	}
}

/** Installs the official pack: what the bench compares with, and whose workflows the converter takes. */
export const ensureOfficialPack = () =>
	// Its peer dependency is n8n itself, which is here already.
	ensureKit('bench', { cost: '1 MB', npmOptions: ['--legacy-peer-deps'] });

const CLIENTS = 'tools/clients';

/** Installs what the tests in the real n8n use it with, and links it where their compiler and jest look for it. */
export async function ensureClients() {
	await ensureKit(CLIENTS, { cost: '25 MB, kept for later runs' });
	const { dependencies } = JSON.parse(readFileSync(manifestOf(CLIENTS), 'utf8'));
	for (const name of Object.keys(dependencies)) {
		const link = join(projectRoot, 'test/node_modules', name);
		const installed = join(kitFolder(CLIENTS), 'node_modules', name);
		if (existsSync(link) && realpathSync(link) === realpathSync(installed)) continue;
		mkdirSync(dirname(link), { recursive: true });
		rmSync(link, { force: true });
		symlinkSync(installed, link, 'junction');
	}
}
