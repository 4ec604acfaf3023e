import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { Failure, projectRoot } from './run.mjs';

const examples = JSON.parse(readFileSync(join(projectRoot, 'test/demo/examples.json'), 'utf8'));

export const HELP = `Runs an example workflow in n8n's own engine, against a mock server on this machine.

  npm start                                   the mock server and its own small web
  npm start -- --query "…"                    another query, prompt or address
  npm start -- --base-url … --api-key …       a real service, hosted or your own
  npm start -- --example NAME                 another example:
${Object.entries(examples)
	.map(([name, { about }]) => `      ${name.padEnd(18)} ${about}`)
	.join('\n')}`;

const OPTIONS = {
	query: { type: 'string' },
	'base-url': { type: 'string' },
	'api-key': { type: 'string' },
	example: { type: 'string', default: 'search-and-read' },
	help: { type: 'boolean', default: false },
};

function parsed(args) {
	try {
		return parseArgs({ args, options: OPTIONS }).values;
	} catch (error) {
		throw new Failure(error.message);
	}
}

/**
 * What the command line asks the demo for: an example, and with `query`, `baseUrl` and `apiKey` what is
 * asked and where; or 'help'.
 * @throws {Failure} when it asks for what there is not
 */
export function readArguments(args) {
	const values = parsed(args);
	if (values.help) return 'help';
	const { query, 'base-url': baseUrl, 'api-key': apiKey, example } = values;
	if (!Object.hasOwn(examples, example)) {
		const names = Object.keys(examples).join(', ');
		throw new Failure(`There is no example "${example}"; there are: ${names}`);
	}
	if (apiKey !== undefined && baseUrl === undefined) {
		throw new Failure('--api-key needs --base-url: the mock server has keys of its own');
	}
	if (examples[example].onlyMockServer && baseUrl !== undefined) {
		throw new Failure(
			'This example changes a page and moves the clock, which only the mock server can do: leave --base-url out',
		);
	}
	return { example, query, baseUrl, apiKey };
}
