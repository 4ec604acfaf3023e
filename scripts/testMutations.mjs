import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import { ensurePackage, ensureTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureKit, kitFolder } from './kit.mjs';
import { execute, Failure, INTERRUPTED, projectRoot, runSteps, runTool } from './run.mjs';

/** Of 100 defects that are planted in the shared rooms, the tests find so many. */
const goal = 85;

/** Lines that are drawn together: a defect may span some. */
const window = 12;

/** The rooms as the unit tests load them, and as the built package that n8n's engine loads has them. */
const ROOMS = '.build/nodes/runtime';
const builtFile = (file) => join(projectRoot, file.replace('.build', 'dist'));

const ENGINE = '.build/test/engine/';
/** In milliseconds: one test takes some seconds, all of them a minute. What takes so much longer hangs on the defect. */
const longestEngineTest = 20_000;
const longestEngineRun = 10 * 60_000;

const REPORT = '.build/mutations.json';
const KIT = 'mutations';

/** `--percent 100` plants every defect, `--seed 7` draws others, `--room api` stays in one room. */
const { values } = parseArgs({
	options: {
		percent: { type: 'string', default: '2' },
		seed: { type: 'string', default: '77' },
		room: { type: 'string', default: '' },
	},
});
const percent = Number(values.percent);
if (!(percent > 0 && percent <= 100)) {
	console.error(`--percent must be above 0 and at most 100, and not ${values.percent}`);
	process.exit(1);
}
if (!existsSync(join(projectRoot, 'nodes/runtime', values.room))) {
	console.error(`There is no room ${values.room} in nodes/runtime`);
	process.exit(1);
}

/** The lines in which defects are planted: of each hundred windows of the rooms, so many as are asked for. */
function randomLines() {
	const generator = xoroshiro128plus(Number(values.seed));
	const folder = join(projectRoot, ROOMS, values.room);
	const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js'));
	return files.sort().flatMap((file) => {
		const lines = readFileSync(join(folder, file), 'utf8').split('\n').length;
		const firsts = Array.from({ length: Math.ceil(lines / window) }, (_, at) => at * window + 1);
		return firsts
			.filter(() => uniformFloat64(generator) * 100 < percent)
			.map((first) => {
				const last = Math.min(lines, first + window - 1);
				return `${join(ROOMS, values.room, file)}:${first}-${last}`;
			});
	});
}

/** Stryker's settings. */
function settings() {
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
		mutate: randomLines(),
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
async function runStryker() {
	const kit = kitFolder(KIT);
	const config = join(projectRoot, '.build/stryker.json');
	rmSync(join(projectRoot, REPORT), { force: true });
	writeFileSync(config, JSON.stringify(settings(), null, '\t'));
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

/** Plants what no unit test has found for the tests in n8n's engine. */
async function tryInEngine() {
	const missed = plantedDefects().filter((defect) => !isFound(defect));
	for (const defect of missed) {
		const { file, location, mutatorName, replacement } = defect;
		const finds = await engineFinds(defect);
		if (finds) foundInEngine.push(defect);
		console.log(
			`   ${finds ? 'found ' : 'missed'} ${file}:${location.start.line} ${mutatorName}: ${replacement}`,
		);
	}
}

const foundInEngine = [];
const { failed } = await runSteps([
	['Install what is missing', ensureInstalled],
	[
		'Install Stryker',
		async () => await ensureKit(KIT, { cost: 'about 60 MB, kept for later runs' }),
	],
	['Build the package', ensurePackage],
	['Compile the tests and the rooms', ensureTests],
	["Run the tests in n8n's engine with nothing planted", runEngine],
	['Plant defects for the unit tests (Stryker)', runStryker],
	["Plant what they missed for the tests in n8n's engine", tryInEngine],
]);
if (failed) {
	console.log(`\nThere is no score, since this failed: ${failed}`);
	process.exitCode = 1;
} else {
	const defects = plantedDefects();
	const byUnitTests = defects.filter(isFound).length;
	const found = byUnitTests + foundInEngine.length;
	const percentOf = (part) => (defects.length === 0 ? 0 : (100 * part) / defects.length);
	console.log(
		`\n${found} of ${defects.length} planted defects found: ${percentOf(found).toFixed(1)} % (goal ${goal} %), ` +
			`${percentOf(byUnitTests).toFixed(1)} % by the unit tests alone`,
	);
	process.exitCode = percentOf(found) < goal ? 1 : 0;
}
