import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { ensureProgram, findCommand } from './debian.mjs';

/** Where Debian keeps the programs of PostgreSQL, a folder for each version. */
const VERSIONS = '/usr/lib/postgresql';

const postgresFolders = () =>
	existsSync(VERSIONS)
		? readdirSync(VERSIONS)
				.sort((one, other) => Number(other) - Number(one))
				.map((version) => join(VERSIONS, version, 'bin'))
		: [];

/** The server of Redis; undefined when there is none. */
export const redis = () => findCommand(['redis-server']);

/** The server of PostgreSQL, its other programs beside it; undefined when there is none. */
export function postgres() {
	const found = findCommand(['postgres'], postgresFolders());
	// On the path there may be links to some of the programs.
	return found && realpathSync(found);
}

const help = 'put it on the path';

/**
 * Makes sure that what n8n's queue needs is there. No server of Debian's is started: tests run their own.
 * @throws {Failure} when something is missing and cannot be installed.
 */
export async function ensureQueue() {
	await ensureProgram(redis, ['redis-server'], {
		need: "The tests of n8n's queue need Redis",
		help,
	});
	await ensureProgram(postgres, ['postgresql'], {
		need: "The tests of n8n's queue need PostgreSQL",
		help,
	});
}
