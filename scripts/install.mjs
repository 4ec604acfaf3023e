import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readStamp, writeStamp } from './fingerprint.mjs';
import { Failure, INTERRUPTED, projectRoot, runNpm } from './run.mjs';

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
	console.log('   about 1.1 GB; two to four minutes the first time');
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
