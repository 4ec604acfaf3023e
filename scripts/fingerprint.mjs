import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { projectRoot } from './run.mjs';

/** Every file below `path` (a file or a folder, relative to the checkout), sorted. */
function filesBelow(path) {
	const absolute = join(projectRoot, path);
	if (!existsSync(absolute)) return [];
	if (statSync(absolute).isFile()) return [path];
	return readdirSync(absolute, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)))
		.sort();
}

/** A hash of the names and contents of all files below `paths`. */
export function fingerprint(paths) {
	const hash = createHash('sha256');
	for (const file of paths.flatMap(filesBelow)) {
		hash
			.update(`${file}\0`)
			.update(readFileSync(join(projectRoot, file)))
			.update('\0');
	}
	return hash.digest('hex');
}

/** The text kept in a stamp file, or undefined. */
export function readStamp(path) {
	const absolute = join(projectRoot, path);
	return existsSync(absolute) ? readFileSync(absolute, 'utf8') : undefined;
}

/** Keeps `text` in a stamp file. */
export function writeStamp(path, text) {
	const absolute = join(projectRoot, path);
	mkdirSync(dirname(absolute), { recursive: true });
	writeFileSync(absolute, text);
}
