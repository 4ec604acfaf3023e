import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pageFile } from '../../tools/convert/pageFile.cjs';
import { projectRoot } from '../root.cjs';

/** Writes the page of the converter as `npm run docs` does; returns its path. */
export function pagePath(): string {
	const path = join(projectRoot, '.build/converter/index.html');
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, pageFile(projectRoot, join(projectRoot, '.build/tools/convert')));
	return path;
}
