import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from '../root.cjs';

/** The content of a file in `data/`: the mock server's own records. */
export function readData<T>(name: string): T {
	return JSON.parse(readFileSync(join(projectRoot, 'test/mock-server/data', name), 'utf8'));
}
