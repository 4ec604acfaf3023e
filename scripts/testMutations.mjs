import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { ensureBuilt } from './build.mjs';
import { ensureKit, kitFolder } from './kit.mjs';
import { execute, Failure, INTERRUPTED, projectRoot, runSteps, runTool } from './run.mjs';

/** Of 100 planted defects, the tests find so many. */
const goal = 85;

/** Lines that are drawn together: a defect may span some. */
const window = 12;

/** The rooms as the unit tests load them, and as the built package that n8n's engine loads has them. */
const NODES = '.build/nodes';
const builtFile = (file) => join(projectRoot, file.replace('.build', 'dist'));

const ENGINE = '.build/test/engine/';
/** In milliseconds: one test takes some seconds, all of them a minute. What takes so much longer hangs on the defect. */
const longestEngineTest = 20_000;
const longestEngineRun = 10 * 60_000;

const REPORT = '.build/mutations.json';
const KIT = 'mutations';

/** The shared rooms together, each of them, and the operations. */
const rooms = [
	'runtime',
	...readdirSync(join(projectRoot, 'nodes/runtime'), { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => `runtime/${name}`),
	'WebData',
];

/** The lines in which defects are planted: of each hundred windows of the rooms, so many as are asked for. */
async function randomLines({ percent, seed, room }) {
	const { uniformFloat64 } = await import('pure-rand/distribution/uniformFloat64');
	const { xoroshiro128plus } = await import('pure-rand/generator/xoroshiro128plus');
	const generator = xoroshiro128plus(Number(seed));
	const folder = join(projectRoot, NODES, room);
	const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js'));
	return files.sort().flatMap((file) => {
		const lines = readFileSync(join(folder, file), 'utf8').split('\n').length;
		const firsts = Array.from({ length: Math.ceil(lines / window) }, (_, at) => at * window + 1);
		return firsts
			.filter(() => uniformFloat64(generator) * 100 < Number(percent))
			.map((first) => {
				const last = Math.min(lines, first + window - 1);
				return `${join(NODES, room, file)}:${first}-${last}`;
			});
	});
}

/** Stryker's settings. */
async function settings(values) {
	return {
		testRunner: 'coveringTests',
		plugins: [
			'@stryker-mutator/jest-runner',
			join(projectRoot, 'test/mutations/coveringTests.mjs'),
		],
		jest: {
			projectType: 'custom',
			configFile: 'test/mutations/jest.config.cjs',
			enableFindRelatedTests: false,
		},
		mutate: await randomLines(values),
		coverageAnalysis: 'perTest',
		// What runs once, when a file is loaded, would have to be tried with every test.
		ignoreStatic: true,
		concurrency: availableParallelism(),
		timeoutMS: 30_000,
		reporters: ['json', 'progress-append-only'],
		jsonReporter: { fileName: REPORT },
		tempDirName: '.build/stryker',
		ignorePatterns: [
			'*',
			'!.build/nodes/**',
			'!.build/test/**',
			'!docs/**',
			'!jest.config.cjs',
			'!nodes/**',
			'!package.json',
			'!test/**',
		],
	};
}

/** Plants the defects for the unit tests. Resolves with Stryker's exit code. */
async function runStryker(values) {
	const kit = kitFolder(KIT);
	const config = join(projectRoot, '.build/stryker.json');
	rmSync(join(projectRoot, REPORT), { force: true });
	writeFileSync(config, JSON.stringify(await settings(values), null, '\t'));
	const stryker = join(kit, 'node_modules/@stryker-mutator/core/bin/stryker.js');
	return await execute(process.execPath, [stryker, 'run', config], {
		env: { ...process.env, WEB_DATA_MUTATIONS: kit },
	});
}

/** The planted defects, each with what became of it: Killed, Timeout, RuntimeError, Survived, NoCoverage. */
function plantedDefects() {
	const { files } = JSON.parse(readFileSync(join(projectRoot, REPORT), 'utf8'));
	return Object.entries(files)
		.flatMap(([file, { mutants }]) => mutants.map((mutant) => ({ ...mutant, file })))
		.filter(({ status }) => status !== 'Ignored');
}

/** Also with what keeps files of tests from being loaded, Stryker's RuntimeError, the run of the tests is red. */
const isFound = ({ status }) => ['Killed', 'Timeout', 'RuntimeError'].includes(status);

/** The tests in n8n's engine, up to the first that fails. Threads end with their process when it takes too long. */
function runEngine() {
	const jest = ['--bail', '--workerThreads', `--testTimeout=${longestEngineTest}`, ENGINE];
	const bounds = { timeout: longestEngineRun, killSignal: 'SIGKILL' };
	return runTool('jest', 'jest', jest, { ...bounds, stdio: 'ignore' });
}

/** The text with the defect in the place of what stands there; Stryker counts lines and columns from 1. */
function withDefect(text, { location: { start, end }, replacement }) {
	const lines = text.split('\n');
	const before = lines.slice(0, start.line - 1);
	const first = lines[start.line - 1].slice(0, start.column - 1);
	const last = lines[end.line - 1].slice(end.column - 1);
	return [...before, first + replacement + last, ...lines.slice(end.line)].join('\n');
}

/** Whether a test in n8n's engine finds the defect, for as long as it stands in the built package. */
async function engineFinds(defect) {
	const file = builtFile(defect.file);
	const text = readFileSync(file, 'utf8');
	if (text !== readFileSync(join(projectRoot, defect.file), 'utf8')) {
		throw new Failure(`${file} was not compiled as the unit tests' ${defect.file}`);
	}
	try {
		writeFileSync(file, withDefect(text, defect));
		const exitCode = await runEngine();
		if (exitCode === INTERRUPTED) throw new Failure('Stopped');
		return exitCode !== 0;
	} finally {
		writeFileSync(file, text);
	}
}

/** Plants what no unit test has found for the tests in n8n's engine. Resolves with how many these find. */
async function tryInEngine() {
	let found = 0;
	const missed = plantedDefects().filter((defect) => !isFound(defect));
	for (const defect of missed) {
		const { file, location, mutatorName, replacement } = defect;
		const finds = await engineFinds(defect);
		if (finds) found += 1;
		console.log(
			`   ${finds ? 'found ' : 'missed'} ${file}:${location.start.line} ${mutatorName}: ${replacement}`,
		);
	}
	return found;
}

/** Plants the defects and counts those that are found. Resolves with an exit code. */
async function run(values) {
	let foundInEngine = 0;
	const { failed } = await runSteps([
		[
			'Install Stryker',
			async () => await ensureKit(KIT, { cost: 'about 60 MB, kept for later runs' }),
		],
		ensureBuilt,
		["Run the tests in n8n's engine with nothing planted", runEngine],
		['Plant defects for the unit tests (Stryker)', () => runStryker(values)],
		[
			"Plant what they missed for the tests in n8n's engine",
			async () => void (foundInEngine = await tryInEngine()),
		],
	]);
	if (failed) {
		console.log(`\nThere is no score, since this failed: ${failed}`);
		return 1;
	}
	const defects = plantedDefects();
	const byUnitTests = defects.filter(isFound).length;
	const found = byUnitTests + foundInEngine;
	const percentOf = (part) => (defects.length === 0 ? 0 : (100 * part) / defects.length);
	console.log(
		`\n${found} of ${defects.length} planted defects found: ${percentOf(found).toFixed(1)} % (goal ${goal} %), ` +
			`${percentOf(byUnitTests).toFixed(1)} % by the unit tests alone`,
	);
	return percentOf(found) < goal ? 1 : 0;
}

export const testMutations = {
	about: 'Plants defects in the code and names those that no test finds.',
	options: {
		percent: {
			type: 'string',
			value: 'N',
			default: '2',
			about: 'of all lines, so many; 100 plants every defect',
			pattern: /^(100|[1-9]\d?|\d{1,2}\.\d+)$/,
		},
		seed: {
			type: 'string',
			value: 'N',
			default: '77',
			about: 'draws others than 77',
			pattern: /^\d+$/,
		},
		room: {
			type: 'string',
			value: 'ROOM',
			default: 'runtime',
			about: `where: ${rooms.join(', ')}`,
			choices: rooms,
		},
	},
	run,
};
