import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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

/** What some tests in n8n need beside Node: nothing installs it but scripts/ci/debian.sh. */
const PROGRAMS = [
	{
		name: 'Chromium',
		find: chromium,
		packages: 'chromium fonts-liberation',
		tests: [
			'addedFields.test',
			'clicks.test',
			'converterPage.test',
			'converterPaste.test',
			'editor.test',
			'examplesByClick.test',
			'newcomer.test',
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
