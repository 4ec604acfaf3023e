import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../test/root.cjs';
import { packageOf } from './contenders.cjs';

const versionIn = (folder: string): string => {
	const { version }: { version: string } = JSON.parse(
		readFileSync(join(folder, 'package.json'), 'utf8'),
	);
	return version;
};

/** What was measured and in what: versions by name. */
export const versions = (): Record<string, string> => ({
	node: process.versions.node,
	'n8n-core': versionIn(join(projectRoot, 'node_modules/n8n-core')),
	'n8n-workflow': versionIn(join(projectRoot, 'node_modules/n8n-workflow')),
	'n8n-nodes-web-data': versionIn(packageOf('ours')),
	'@mendable/n8n-nodes-firecrawl': versionIn(packageOf('peer')),
});
