import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ensureDemo, ensurePackage } from './build.mjs';
import { execute, Failure, projectRoot } from './run.mjs';

const examples = JSON.parse(readFileSync(join(projectRoot, 'test/demo/examples.json'), 'utf8'));

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
	refuse({ example, 'base-url': baseUrl, 'api-key': apiKey }) {
		if (apiKey !== undefined && baseUrl === undefined) {
			throw new Failure('--api-key needs --base-url: the mock server has keys of its own');
		}
		if (examples[example].onlyMockServer && baseUrl !== undefined) {
			throw new Failure(
				'This example changes a page and moves the clock, which only the mock server can do: leave --base-url out',
			);
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
				() => execute(process.execPath, ['.build/test/demo/main.cjs'], { env }),
			],
		];
	},
};
