import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { buildConverter, ensureDemo, ensurePackage } from './build.mjs';
import { execute, Failure, projectRoot } from './run.mjs';

const examples = JSON.parse(readFileSync(join(projectRoot, 'tools/demo/examples.json'), 'utf8'));

export const start = {
	about: `Runs an example workflow in n8n's own engine, against a mock server on this machine. Examples:

${Object.entries(examples)
	.map(([name, { about }]) => `  ${name.padEnd(18)} ${about}`)
	.join('\n')}`,
	options: {
		example: {
			type: 'string',
			value: 'NAME',
			default: 'search-and-read',
			about: 'one of those above',
			choices: Object.keys(examples),
		},
		query: { type: 'string', value: '"…"', about: 'another query, prompt or URL' },
		'base-url': { type: 'string', value: 'URL', about: 'a real service, hosted or your own' },
		'api-key': { type: 'string', value: 'KEY', about: 'its key' },
	},
	refuse({ 'base-url': baseUrl, 'api-key': apiKey }) {
		if (apiKey !== undefined && baseUrl === undefined) {
			throw new Failure('--api-key needs --base-url: the mock server has keys of its own');
		}
	},
	steps({ example, query, 'base-url': baseUrl, 'api-key': apiKey }) {
		// The demo reads its environment, which other users of the machine cannot read.
		const choice = JSON.stringify({ example, query, baseUrl, apiKey });
		const env = { ...process.env, WEB_DATA_DEMO: choice };
		return [
			['Build the package', ensurePackage],
			['Compile the mock server and the demo', ensureDemo],
			[
				"Run a workflow in n8n's engine",
				() => execute(process.execPath, ['.build/tools/demo/main.cjs'], { env }),
			],
		];
	},
};

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
