import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
	createCompilerHost,
	createProgram,
	flattenDiagnosticMessageText,
	parseJsonConfigFileContent,
	readConfigFile,
	sys,
} from 'typescript';
import { projectRoot } from '../root.cjs';

const resources = readdirSync(join(projectRoot, 'nodes/WebData/resources'), { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

/** What `npm run new -- page summarize` would write, by absolute path; nothing is written. */
const filesOf = (resource: string, operation: string): Map<string, string> =>
	new Map(
		JSON.parse(
			execFileSync(
				process.execPath,
				[
					'--input-type=module',
					'--eval',
					`import { readFileSync } from 'node:fs';
					import { filesOfOperation } from './scripts/new.mjs';
					const read = (path) => readFileSync(path, 'utf8');
					console.log(JSON.stringify([...filesOfOperation(...process.argv.slice(1), read)]));`,
					resource,
					operation,
				],
				{ cwd: projectRoot, encoding: 'utf8' },
			),
		).map(([path, text]: [string, string]) => [join(projectRoot, path), text]),
	);

describe('npm run new', () => {
	it.each(resources)('finds every list that a new operation of %s stands in', (resource) => {
		const changed = [...filesOf(resource, 'summarize')].filter(
			([, text]) => text.includes('summarize') || text.includes('Summarize'),
		);

		expect(changed).toHaveLength(10);
	});

	it('writes what compiles', () => {
		const files = filesOf('page', 'summarize');
		const { config } = readConfigFile(join(projectRoot, 'test/tsconfig.json'), (path) =>
			sys.readFile(path),
		);
		const { options } = parseJsonConfigFileContent(config, sys, join(projectRoot, 'test'));
		const host = createCompilerHost(options);
		const { fileExists, readFile } = host;
		// The compiler sees them where they would be.
		Object.assign(host, {
			fileExists: (path: string) => files.has(path) || fileExists(path),
			readFile: (path: string) => files.get(path) ?? readFile(path),
		});
		const names = [...files.keys()].filter((path) => /ts$/.test(path));
		const program = createProgram(names, options, host);

		const problems = names.flatMap((name) => {
			const file = program.getSourceFile(name);
			return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
		});
		expect(
			problems.map(({ messageText }) => flattenDiagnosticMessageText(messageText, '\n')),
		).toEqual([]);
		// It compiles all that they lean on.
	}, 180_000);
});
