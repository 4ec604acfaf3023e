const { join } = require('node:path');
const base = require('../../jest.config.cjs');

/** The folder where an n8n engine is installed: scripts/testVersions.mjs sets it. */
const { WEB_DATA_N8N_ENGINE: folder = '' } = process.env;

/** What is taken from there, and not from the newest engine beside the pack. */
const fromEngine = '^(n8n-core|n8n-workflow|@n8n/di|@n8n/backend-common|reflect-metadata)$';

/** Tests of every facility of n8n that the pack uses, with the engine of an earlier n8n in the newest one's place. */
module.exports = {
	...base,
	rootDir: '../..',
	moduleNameMapper: { [fromEngine]: join(folder, 'node_modules', '$1') },
};
