/** Every command of package.json: `node scripts/main.mjs NAME`, so that all have help, refuse what they do not know and install what is missing. */
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { buildPackage, ensureBuilt, ensureDemo } from './build.mjs';
import { runCommand } from './command.mjs';
import { ensureOfficialPack, kitFolder } from './install.mjs';
import { preparation, surroundings, withWorkFolder } from './n8n.mjs';
import { execute, projectRoot, runSteps, runTool } from './run.mjs';
import { convert, start } from './start.mjs';
import { check, fix, test } from './test.mjs';
import { testFuzz } from './testFuzz.mjs';
import { testN8n } from './testN8n.mjs';
import { testVersions } from './testVersions.mjs';

/** Runs a program that the tests' compiler has written. */
const runCompiled = (file, args, options) =>
	execute(process.execPath, [join('.build', file), ...args], options);

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
	check,
	fix,
	convert,
	build: {
		about: 'Builds the package into dist.',
		steps: () => [['Build the package (n8n-node build, gulp build)', buildPackage]],
	},
	docs: {
		about:
			'Writes from the nodes as they are: the previews of items, docs/operations.md, the page of the converter, and test/cases for this version.',
		steps: () => [
			ensureBuilt,
			['Write the previews and the reference (gulp docs)', () => runTool('gulp', 'gulp', ['docs'])],
			['Write the cases of this version', () => runTool('gulp', 'gulp', ['cases'])],
		],
	},
	service: {
		about: 'Runs the mock server alone and says how n8n reaches it.',
		takes: { value: '[port]', about: '3002 where it is left out', pattern: /^\d+$/ },
		steps: (_values, rest) => [
			['Compile the mock server', ensureDemo],
			['Run the mock server', () => runCompiled('test/mock/main.cjs', rest)],
		],
	},
	bench: {
		about:
			'Measures beside the official pack and the smallest node: ten minutes on two idle cores.',
		options: {
			only: {
				type: 'string',
				value: 'NAME',
				about: `one of ${namesIn('bench/benches').join(', ')}`,
				choices: namesIn('bench/benches'),
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
	'test:versions': testVersions,
	'test:fuzz': testFuzz,
	dev: {
		about:
			'Runs the real n8n with the pack, the mock server, a credential and all examples, to try things in.',
		run: () =>
			withWorkFolder(async (work) => {
				let tarball;
				const start = () =>
					runCompiled('test/n8n/main.cjs', [], {
						env: surroundings(work, { WEB_DATA_TARBALL: tarball }),
					});
				const prepared = preparation(work, (path) => void (tarball = path));
				return (await runSteps([...prepared, ['Run n8n', start]])).exitCode;
			}),
	},
};

const [name, ...args] = process.argv.slice(2);
process.exitCode = await runCommand(name, commands[name], args);
