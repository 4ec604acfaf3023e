import { resolve } from 'node:path';

import { buildConverter } from './build.mjs';
import { Failure, execute } from './run.mjs';

export const convert = {
	about:
		'Converts n8n workflows that use Firecrawl, by its own node or by HTTP Request nodes, to this pack. docs/migrate.md explains it.',
	takes: { value: 'FILE…', about: 'workflows as the editor copies or downloads them' },
	options: {
		out: {
			type: 'string',
			value: 'FOLDER',
			default: 'converted',
			about: 'where the converted workflows go; "converted" where it is left out',
		},
		host: {
			type: 'string',
			value: 'HOSTS',
			about: 'hosts of your own servers, with commas, besides api.firecrawl.dev',
		},
	},
	async run({ out, host = '' }, files) {
		if (files.length === 0) throw new Failure('Name at least one file with a workflow');
		const exitCode = await buildConverter();
		if (exitCode !== 0) return exitCode;
		// npm runs this in the checkout; paths are those of the caller.
		const from = (path) => resolve(process.env.INIT_CWD ?? '.', path);
		const hosts = host.split(',').filter((name) => name !== '');
		const request = { files: files.map(from), out: from(out), hosts };
		const env = { ...process.env, WEB_DATA_CONVERT: JSON.stringify(request) };
		return await execute(process.execPath, ['.build/tools/convert/main.cjs'], { env });
	},
};
