import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { Failure, runNpm } from './run.mjs';

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
