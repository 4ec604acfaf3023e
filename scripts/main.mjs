/** Every command of package.json: `node scripts/main.mjs NAME`, so that all have help, refuse what they do not know and install what is missing. */
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { buildPackage, ensureBuilt, ensureDemo, ensurePackage } from './build.mjs';
import { runCommand } from './command.mjs';
import { convert } from './convert.mjs';
import { preparation, surroundings } from './inN8n.mjs';
import { ensureOfficialPack, kitFolder } from './kit.mjs';
import { newOperation } from './new.mjs';
import { pictures } from './pictures.mjs';
import { execute, projectRoot, runSteps, runTool } from './run.mjs';
import { start } from './start.mjs';
import { fix, test } from './test.mjs';
import { testDocker } from './testDocker.mjs';
import { testFaults } from './testFaults.mjs';
import { testMutations } from './testMutations.mjs';
import { testN8n } from './testN8n.mjs';
import { testVersions } from './testVersions.mjs';
import { withWorkFolder } from './workFolder.mjs';

/** Runs a program that the tests' compiler has written. */
const runCompiled = (file, args, options) =>
	execute(process.execPath, [join('.build/test', file), ...args], options);

/** A command that hands everything to n8n's own command line, and the keyboard. */
const n8nNode = (command, about) => ({
	about,
	passesOn: `n8n-node ${command}`,
	run: (_values, rest) =>
		runTool('@n8n/node-cli', 'n8n-node', [command, ...rest], { stdio: 'inherit' }),
});

/** The files of a folder without their ending. */
const namesIn = (folder) =>
	readdirSync(join(projectRoot, folder)).map((file) => file.replace(/\..*$/, ''));

/** Options as they were read, for another program. */
const asArguments = (values) =>
	Object.entries(values).map(([name, value]) =>
		value === true ? `--${name}` : `--${name}=${value}`,
	);

const commands = {
	start,
	test,
	fix,
	new: newOperation,
	convert,
	build: {
		about: 'Builds the package into dist.',
		steps: () => [['Build the package (n8n-node build, gulp build)', buildPackage]],
	},
	dev: n8nNode(
		'dev',
		'Runs the newest n8n with the nodes and compiles what changes. It needs Node 24 or newer.',
	),
	lint: n8nNode('lint', "Checks what ships by n8n's own rules, the strict ones."),
	patterns: {
		about: 'Fails for every regular expression that ships and can take more than linear time.',
		takes: { value: '[FOLDER…]', about: 'other folders than nodes and credentials' },
		// The module loads what is installed only now.
		run: async (_values, rest) => await (await import('./patterns.mjs')).checkPatterns(rest),
	},
	scan: {
		about: "Does what n8n's reviewers do: their scanner on the source and on the packed package.",
		steps: () => [
			['Build the package', ensurePackage],
			[
				"Scan source and tarball (n8n's scanner)",
				async () => await (await import('./scan.mjs')).scan(),
			],
		],
	},
	jest: {
		about: 'Builds what has changed, then runs tests: npm run jest -- engine/crawl',
		passesOn: 'jest',
		steps: (_values, rest) => [
			ensureBuilt,
			['Run the tests (jest)', () => runTool('jest', 'jest', rest, { stdio: 'inherit' })],
		],
	},
	docs: {
		about:
			'Writes the previews of items, docs/operations.md and docs/prices.md from the nodes as they are, and the page of the converter.',
		steps: () => [
			ensureBuilt,
			['Write the previews and the reference (gulp docs)', () => runTool('gulp', 'gulp', ['docs'])],
		],
	},
	workflows: {
		about:
			'Writes test/workflows for this version: each operation and trigger as the editor saves it, and what it sends.',
		steps: () => [
			ensureBuilt,
			['Write the workflows of this version', () => runTool('gulp', 'gulp', ['workflows'])],
		],
	},
	service: {
		about: 'Runs the mock server alone and says how n8n reaches it.',
		takes: { value: '[port]', about: '3002 where it is left out', pattern: /^\d+$/ },
		options: {
			server: {
				type: 'string',
				value: 'AGE',
				about:
					'routes, fields and failures of a server of that time: 2025-08, 2026-04, 2026-08, newest',
				choices: ['2025-08', '2026-04', '2026-08', 'newest'],
			},
			'self-hosted': { type: 'boolean', about: 'no keys, no database, no browsers' },
		},
		steps: (values, rest) => [
			['Compile the mock server', ensureDemo],
			[
				'Run the mock server',
				() => runCompiled('mock-server/main.cjs', [...asArguments(values), ...rest]),
			],
		],
	},
	bench: {
		about:
			'Measures beside the official pack, the smallest node and a client without n8n: ten minutes on two idle cores.',
		options: {
			only: {
				type: 'string',
				value: 'NAME',
				about: `one of ${namesIn('test/bench/benches').join(', ')}`,
				choices: namesIn('test/bench/benches'),
			},
			repeats: {
				type: 'string',
				value: 'N',
				about: 'how often each figure is measured; 5 where it is left out',
				pattern: /^[1-9]\d*$/,
			},
		},
		steps: (values) => [
			['Install the official pack to compare with', ensureOfficialPack],
			ensureBuilt,
			[
				'Measure',
				() => {
					// The official pack finds n8n's own packages as it does in n8n.
					const { NODE_PATH } = process.env;
					const packages = [join(projectRoot, 'node_modules'), NODE_PATH].filter(Boolean);
					const env = {
						...process.env,
						WEB_DATA_PEER: kitFolder('bench'),
						NODE_PATH: packages.join(delimiter),
					};
					return runCompiled('bench/main.cjs', asArguments(values), { env });
				},
			],
		],
	},
	'test:n8n': testN8n,
	'test:docker': testDocker,
	'test:versions': testVersions,
	'test:faults': testFaults,
	'test:mutations': testMutations,
	editor: {
		about:
			'Runs the real n8n with the pack, the mock server, a credential and all examples, to try things in.',
		run: () =>
			withWorkFolder(async (work) => {
				let tarball;
				const start = () =>
					runCompiled('n8n/main.cjs', [], {
						env: surroundings(work, { WEB_DATA_TARBALL: tarball }),
					});
				const prepared = preparation(work, (path) => void (tarball = path));
				return (await runSteps([...prepared, ['Run n8n', start]])).exitCode;
			}),
	},
	pictures,
	release: n8nNode(
		'release',
		'Asks for a version, checks, commits, tags and pushes it: CONTRIBUTING.md, To release.',
	),
};

const [name, ...args] = process.argv.slice(2);
process.exitCode = await runCommand(name, commands[name], args);
