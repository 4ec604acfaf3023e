// Jest loads the packages here: Node would take those beside the pack.
const { runtime, testEnvironment, ...base } = require('../../jest.config.cjs');

/** The folder where other versions of packages are installed: scripts/testVersions.mjs sets it. Without it, those beside the pack are taken. */
const { WEB_DATA_VERSIONS: folder } = process.env;

/** What n8n brings for the pack, and what the tests run n8n's engine by. The service's own zod is that one too: tests compare schemas of both. */
const brought = {
	'n8n-core': 'n8n-core',
	'n8n-workflow': 'n8n-workflow',
	'@n8n/di': '@n8n/di',
	'@n8n/backend-common': '@n8n/backend-common',
	'reflect-metadata': 'reflect-metadata',
	zod: 'zod/v3',
	'zod/v3': 'zod/v3',
};

/** The file of a package that is installed in that folder; undefined for one that is not. */
function fileOf(name) {
	try {
		return require.resolve(name, { paths: [folder] });
	} catch (error) {
		if (error.code === 'MODULE_NOT_FOUND') return undefined;
		throw error;
	}
}

const found = Object.entries(brought)
	.map(([name, module]) => [`^${name}$`, folder && fileOf(module)])
	.filter(([, file]) => file?.startsWith(folder));

/** The tests of npm run test:versions, with other versions of what n8n brings in the newest ones' place. */
module.exports = { ...base, rootDir: '../..', moduleNameMapper: Object.fromEntries(found) };
