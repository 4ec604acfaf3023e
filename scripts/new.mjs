import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { ensureBuilt } from './build.mjs';
import { Failure, projectRoot, runTool } from './run.mjs';

const RESOURCES = 'nodes/WebData/resources';
const resources = readdirSync(join(projectRoot, RESOURCES), { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

/** `getChecks` as *Get Checks*. */
const inWords = (name) =>
	name.replace(/[A-Z]/g, ' $&').replace(/^./, (first) => first.toUpperCase());

const operationFile = (
	resource,
	operation,
) => `import type { Endpoint } from '../../../runtime/api/endpoint';
import { form } from '../../../runtime/form/form';
import { settingsFields } from '../../../runtime/form/options';
import { operation } from '../../../runtime/operation/operation';
import { asRecord } from '../../../runtime/output/results';
import { query } from '../../fields/query';

const endpoint: Endpoint = {
	method: 'POST',
	path: '/${resource}/${operation}',
	bucket: 'other',
	retrySafety: 'free',
};

/** POST /${resource}/${operation} (https://docs.firecrawl.dev/api-reference). */
export const ${operation} = operation({
	name: '${inWords(operation)}',
	value: '${operation}',
	action: '${inWords(operation)} of ${resource}',
	description: 'Does one thing, and says when to use it. Returns one item. Free.',
	costs: 'free',
	request: form({
		query: query({ placeholder: 'e.g. spring tide', description: 'Question or topic' }),
	}),
	settings: settingsFields(),
	async run(body, context) {
		const response = await context.send({ endpoint, body });
		return [{ json: asRecord(asRecord(response.body).data) }];
	},
});
`;

const schemaFile = (name) => `import { z } from 'zod/v4';

import { stamps, strict } from './body.cjs';

/** By the API's documentation, not by the node: what that does not allow is refused. */
export const ${name}Request = strict({ query: z.string().min(1), ...stamps });
`;

const endpointFile = (
	resource,
	operation,
	name,
) => `import { endpoints, type ApiEndpoint } from '../pipeline.cjs';
import { parseBody } from '../schemas/body.cjs';
import { ${name}Request } from '../schemas/${name}.cjs';

/** \`POST /${resource}/${operation}\`. */
export const ${name}Endpoints = (): ApiEndpoint[] =>
	endpoints({ rate: 'scrape' }, [
		'POST /v2/${resource}/${operation}',
		(call) => {
			const { query } = parseBody(${name}Request, call.body);
			return { body: { success: true, data: { query } } };
		},
	]);
`;

const testFile = (resource, operation) => `import { useTestBed } from '../testBed.cjs';

describe('${resource}: ${operation}', () => {
	const testBed = useTestBed();

	it('sends what is set, and gives what comes back as an item', async () => {
		const run = await testBed.run('${resource}', '${operation}', { query: 'tide' });

		const [request] = testBed.service.log.of('POST', '/v2/${resource}/${operation}');
		expect(request.body).toEqual({ query: 'tide' });
		expect(run.output().map(({ json }) => json)).toEqual([{ query: 'tide' }]);
	});
});
`;

/**
 * The files of a new operation, and those that list it, by their paths. `read` gives the text of one that there is.
 * @throws {Failure} where a list does not look as it did
 * @public for its test, which calls it in another process
 */
export function filesOfOperation(resource, operation, read) {
	const name = `${resource}${operation[0].toUpperCase()}${operation.slice(1)}`;
	/** A file with each text behind the place that the pattern finds first. */
	const grown = (path, ...places) => [
		path,
		places.reduce((text, [pattern, added]) => {
			if (!pattern.test(text))
				throw new Failure(`${path} has no place ${pattern}: correct scripts/new.mjs`);
			return text.replace(pattern, (found) => found + added);
		}, read(path)),
	];
	const [, title] = /name: '([^']+)'/.exec(read(`${RESOURCES}/${resource}/index.ts`)) ?? [];
	return new Map([
		[`${RESOURCES}/${resource}/${operation}.ts`, operationFile(resource, operation)],
		[`test/mock-server/schemas/${name}.cts`, schemaFile(name)],
		[`test/mock-server/endpoints/${name}.cts`, endpointFile(resource, operation, name)],
		[`test/engine/${resource}/${operation}.test.cts`, testFile(resource, operation)],
		grown(
			`${RESOURCES}/${resource}/index.ts`,
			[/^import .*\n/, `import { ${operation} } from './${operation}';\n`],
			[/operations: \[[^\]]*[^,\s\]](?=,?\s*\])/, `, ${operation}`],
		),
		grown(
			'test/mock-server/endpoints/all.cts',
			[/^import .*pipeline.cjs';\n/m, `import { ${name}Endpoints } from './${name}.cjs';\n`],
			[/return \[\n/, `\t\t...${name}Endpoints(),\n`],
		),
		grown('test/engine/validParameters.cts', [
			new RegExp(`^\\t${resource}: \\{`, 'm'),
			` ${operation}: () => ({ query: tagged }), `,
		]),
		grown('test/engine/refusedInput.test.cts', [
			/'government: search': .*\n/,
			`\t'${resource}: ${operation}': [{ query: absent }, "'Query' is required"],\n`,
		]),
		grown(
			'test/unit/WebData/resources/spec.test.cts',
			[
				/^import .*\n/,
				`import { ${name}Request } from '../../../mock-server/schemas/${name}.cjs';\n`,
			],
			[
				/\['government: search', .*\n/,
				`\t['${resource}: ${operation}', (body) => ${name}Request.parse(body)],\n`,
			],
		),
		grown('README.md', [
			new RegExp(`^\\| \\[${title}\\]\\([^)]*\\) \\|[^|]*[^ |](?= \\|)`, 'm'),
			`, ${inWords(operation)}`,
		]),
	]);
}

/** The command that writes them; what depends on their descriptions is made after that. */
export const newOperation = {
	about: `Writes a new operation that works, from which to go on: npm run new -- page summarize`,
	takes: { value: 'RESOURCE… OPERATION', about: `RESOURCE is one of ${resources.join(', ')}` },
	steps: (_values, [resource, operation = '', ...more]) => [
		[
			'Write the operation, its mock endpoint, its tests and its rows in their tables',
			() => {
				if (
					!resources.includes(resource) ||
					!/^[a-z][A-Za-z]*$/.test(operation) ||
					more.length > 0
				) {
					throw new Failure('It takes a resource that there is and a name such as getErrors');
				}
				const read = (path) => readFileSync(join(projectRoot, path), 'utf8');
				if (existsSync(join(projectRoot, RESOURCES, resource, `${operation}.ts`))) {
					throw new Failure(`${resource}: ${operation} is there already`);
				}
				for (const [path, text] of filesOfOperation(resource, operation, read)) {
					mkdirSync(dirname(join(projectRoot, path)), { recursive: true });
					writeFileSync(join(projectRoot, path), text);
				}
			},
		],
		[
			'Format (prettier)',
			() =>
				runTool('prettier', 'prettier', [
					'--write',
					'--log-level=warn',
					'nodes',
					'test/{engine,mock-server,unit}/**/*.cts',
				]),
		],
		ensureBuilt,
		[
			'Write the previews, the reference and the saved workflow',
			async () =>
				(await runTool('gulp', 'gulp', ['docs'])) || (await runTool('gulp', 'gulp', ['workflows'])),
		],
	],
};
