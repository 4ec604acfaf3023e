import { createHash } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	renameSync,
	rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { Failure, projectRoot, runNpm } from './run.mjs';

const MANIFEST = ['package.json', 'package-lock.json'];
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

const source = (name, file) => join(projectRoot, 'test', name, file);

/**
 * The folder in which the packages are installed that test/<name> lists: a kit, outside the checkout.
 * Another list is another folder.
 */
export function kitFolder(name) {
	const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
	for (const file of MANIFEST) hash.update(readFileSync(source(name, file)));
	return join(cacheFolder(), `${name}-${hash.digest('hex').slice(0, 12)}`);
}

function isAlive(pid) {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/** Installations that were killed leave their folder behind. */
function sweep(cache) {
	for (const name of readdirSync(cache).filter((entry) => entry.startsWith(STAGING))) {
		if (!isAlive(Number(name.slice(STAGING.length)))) {
			rmSync(join(cache, name), { recursive: true, force: true });
		}
	}
}

/** The folder in which a running process installs, if one does. */
const installing = (cache) =>
	readdirSync(cache).find(
		(name) => name.startsWith(STAGING) && isAlive(Number(name.slice(STAGING.length))),
	);

/** Waits until no other run installs, so that two do not install the same. */
async function othersEnd(cache, every) {
	for (let other = installing(cache); other; other = installing(cache)) {
		console.log(`   another run installs (process ${other.slice(STAGING.length)}): waiting for it`);
		await setTimeout(every);
	}
}

/** Reports how many packages an installation has, from time to time. Returns what ends it. */
function reportProgress(staging, every) {
	const begun = Date.now();
	const timer = setInterval(() => {
		const modules = join(staging, 'node_modules');
		const count = existsSync(modules) ? readdirSync(modules).length : 0;
		const seconds = Math.round((Date.now() - begun) / 1000);
		console.log(`   ${count} packages after ${seconds} s`);
	}, every);
	return () => clearInterval(timer);
}

/** Does a part of an installation. @throws {Failure} when it exits with another code than 0. */
export async function must(work, what) {
	const exitCode = await work;
	if (exitCode !== 0) {
		throw new Failure(`${what} failed (exit code ${exitCode}); its reason is above.`);
	}
}

/**
 * Makes sure that the kit test/<name> is installed, in a folder of the user's cache (WEB_DATA_CACHE
 * names another). It takes its place there only when it is complete; `complete` does what npm leaves to do.
 * @throws {Failure} when npm fails.
 */
export async function ensureKit(
	name,
	{ cost, npmOptions = [], complete = async () => {}, progressEvery = PROGRESS },
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
	await othersEnd(cache, progressEvery);
	if (existsSync(folder)) return;
	const staging = join(cache, `${STAGING}${process.pid}`);
	mkdirSync(staging);
	const endProgress = reportProgress(staging, progressEvery);
	try {
		for (const file of MANIFEST) copyFileSync(source(name, file), join(staging, file));
		// Some install scripts fetch from elsewhere. `npm ci` stops on other platforms' optional packages that the lockfile lacks.
		const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
		await must(
			runNpm(['install', ...options, ...npmOptions], { cwd: staging }),
			`npm install of what test/${name} lists`,
		);
		await complete(staging);
		// Another run may have been faster.
		mkdirSync(dirname(folder), { recursive: true });
		if (!existsSync(folder)) renameSync(staging, folder);
	} finally {
		endProgress();
		rmSync(staging, { recursive: true, force: true });
	}
}

/** Installs the official pack: what the bench compares with, and whose workflows the converter takes. */
export const ensureOfficialPack = () =>
	// Its peer dependency is n8n itself, which is here already.
	ensureKit('bench', { cost: '1 MB', npmOptions: ['--legacy-peer-deps'] });
