import { ensurePackage, ensureTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureN8n, n8nFolder, n8nNode } from './n8n.mjs';
import { packPackage } from './pack.mjs';

/** The environment of a program that runs n8n in a work folder: see test/n8n/surroundings.cts. */
export function surroundings(work, more = {}) {
	return {
		...process.env,
		TMPDIR: work,
		WEB_DATA_WORK: work,
		WEB_DATA_N8N: n8nFolder(),
		WEB_DATA_NODE: n8nNode(),
		...more,
	};
}

/** The steps before a program can run the pack in n8n; `packed` is told where the tarball is. */
export const preparation = (work, packed) => [
	['Install what is missing', ensureInstalled],
	['Install n8n', ensureN8n],
	['Build the package', ensurePackage],
	['Compile the tests and the stand-in service', ensureTests],
	['Pack the package', async () => packed(await packPackage(work))],
];
