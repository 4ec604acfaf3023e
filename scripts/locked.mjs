import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from './run.mjs';

/**
 * Checks that every installed package is the one that the lockfile names, by version and digest. `npm ci`
 * would, but refuses a lockfile that lacks other platforms' optional packages.
 */

const packagesIn = (file) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8')).packages;

const locked = packagesIn('package-lock.json');
const problems = Object.entries(packagesIn('node_modules/.package-lock.json'))
	.filter(([path, { version, integrity, link }]) => {
		const wanted = locked[path];
		return !link && (!integrity || wanted?.version !== version || wanted.integrity !== integrity);
	})
	.map(([path, { version }]) => `${path} ${version} is not the one in package-lock.json`);

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
