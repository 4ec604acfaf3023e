import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { Failure, execute } from './run.mjs';

/** The first of the commands that is on the path, or in one of the other folders. */
export function findCommand(names, folders = []) {
	const { PATH = '' } = process.env;
	return names
		.flatMap((name) => [...PATH.split(delimiter), ...folders].map((folder) => join(folder, name)))
		.find(existsSync);
}

/** Has Debian start no service of the packages that are installed meanwhile: `man invoke-rc.d`. */
async function withoutServices(work) {
	const policy = '/usr/sbin/policy-rc.d';
	if (existsSync(policy)) return await work();
	try {
		writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
		return await work();
	} finally {
		rmSync(policy, { force: true });
	}
}

async function install(packages) {
	if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return;
	const quiet = {
		stdio: ['ignore', 'ignore', 'inherit'],
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
	};
	const options = ['-y', '-qq', '--no-install-recommends'];
	await withoutServices(
		async () =>
			(await execute('apt-get', ['update', '-qq'], quiet)) === 0 &&
			(await execute('apt-get', ['install', ...options, ...packages], quiet)),
	);
}

/**
 * Makes sure that `find` finds a program, by Debian's packages where they can be had.
 * @throws {Failure} when there is none and none can be installed; `need` says what it is for, and `help` what to do.
 */
export async function ensureProgram(find, packages, { need, help }) {
	if (find()) {
		console.log('   up to date');
		return;
	}
	await install(packages);
	if (find()) return;
	throw new Failure(
		`${need}. It can be installed from here only as root on Debian; install it yourself and ${help}.`,
	);
}
