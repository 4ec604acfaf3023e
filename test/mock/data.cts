import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from '../root.cjs';

/** The content of one of the mock server's files, such as `data/tools.json`. */
export function readData<T>(path: string): T {
	return JSON.parse(readFileSync(join(projectRoot, 'test/mock', path), 'utf8'));
}
