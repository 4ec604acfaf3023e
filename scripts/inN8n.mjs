import { ensureBuilt } from './build.mjs';
import { ensureN8n, n8nFolder, n8nNode } from './n8n.mjs';
import { packPackage } from './pack.mjs';

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
