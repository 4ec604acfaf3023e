import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { Failure, execute } from './run.mjs';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome'];

/** The Chromium to drive: the one that WEB_DATA_CHROMIUM names, or the first on the path; else undefined. */
export function chromium() {
	const { WEB_DATA_CHROMIUM: named, PATH = '' } = process.env;
	if (named) return named;
	return COMMANDS.flatMap((command) =>
		PATH.split(delimiter).map((folder) => join(folder, command)),
	).find(existsSync);
}

/**
 * Makes sure that there is a Chromium, by Debian's packages where they can be had.
 * @throws {Failure} when there is none and none can be installed.
 */
export async function ensureChromium() {
	if (chromium()) {
		console.log('   up to date');
		return;
	}
	const quiet = { stdio: ['ignore', 'ignore', 'inherit'] };
	const packages = ['chromium', 'fonts-liberation'];
	const installed =
		existsSync('/usr/bin/apt-get') &&
		process.getuid?.() === 0 &&
		(await execute('apt-get', ['update', '-qq'], quiet)) === 0 &&
		(await execute('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
			...quiet,
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
		})) === 0;
	if (!installed || !chromium()) {
		throw new Failure(
			'The tests of the editor need Chromium. It can be installed from here only as root on Debian; install it yourself and put it on the path, or name it with WEB_DATA_CHROMIUM.',
		);
	}
}
