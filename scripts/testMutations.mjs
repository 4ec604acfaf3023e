import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import { ensureTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureKit, kitFolder } from './kit.mjs';
import { execute, projectRoot, runSteps } from './run.mjs';

/** Of 100 defects that are planted in the shared rooms, the unit tests find so many. */
const goal = 85;

/** Lines that are drawn together: a defect may span some. */
const window = 12;

const ROOMS = '.build/nodes/runtime';
const REPORT = '.build/mutations.json';
const KIT = 'mutations';

/** `--percent 100` plants every defect, `--seed 7` draws others, `--room retry` stays in one room. */
const { values } = parseArgs({
	options: {
		percent: { type: 'string', default: '10' },
		seed: { type: 'string', default: '77' },
		room: { type: 'string', default: '' },
	},
});
const percent = Number(values.percent);
if (!(percent > 0 && percent <= 100)) {
	console.error(`--percent must be above 0 and at most 100, and not ${values.percent}`);
	process.exit(1);
}

/** The lines in which defects are planted: of each hundred windows of the rooms, so many as are asked for. */
function drawnLines() {
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
		mutate: drawnLines(),
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

/** Plants the defects. Resolves with Stryker's exit code. */
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

/** The defects by what became of them: Killed, Timeout, Survived, NoCoverage, Ignored. */
function plantedDefects() {
	const { files } = JSON.parse(readFileSync(join(projectRoot, REPORT), 'utf8'));
	return Object.entries(files).flatMap(([file, { mutants }]) =>
		mutants.map((mutant) => ({ ...mutant, file })),
	);
}

const { failed } = await runSteps([
	['Install what is missing', ensureInstalled],
	[
		'Install Stryker',
		async () => await ensureKit(KIT, { cost: 'about 60 MB, kept for later runs' }),
	],
	['Compile the tests and the rooms', ensureTests],
	['Plant defects (Stryker)', runStryker],
]);
if (failed) {
	console.log(`\nThere is no score, since this failed: ${failed}`);
	process.exitCode = 1;
} else {
	const defects = plantedDefects();
	const count = (...kinds) => defects.filter(({ status }) => kinds.includes(status)).length;
	for (const { file, location, mutatorName, replacement, status } of defects) {
		if (status !== 'Survived' && status !== 'NoCoverage') continue;
		console.log(`${status} ${file}:${location.start.line} ${mutatorName}: ${replacement ?? ''}`);
	}
	const found = count('Killed', 'Timeout');
	const missed = count('Survived', 'NoCoverage');
	const planted = found + missed;
	const score = planted === 0 ? 0 : (100 * found) / planted;
	console.log(
		`\n${found} found (${count('Timeout')} by a time-out), ${missed} missed (${count('NoCoverage')} not covered): ${score.toFixed(1)} % (goal ${goal} %)`,
	);
	process.exitCode = score < goal ? 1 : 0;
}
