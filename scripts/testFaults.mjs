import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensurePackage, ensureTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runJest } from './jest.mjs';
import { Failure, projectRoot, runSteps } from './run.mjs';

const begun = performance.now();

const wholeNumber = /^-?\d+$/;

/** The project's own options: the end of the name of their variable, and what they take. */
const options = {
	'--seed': ['SEED', wholeNumber],
	'--scale': ['SCALE', wholeNumber],
	'--path': ['PATH', /^\d+(:\d+)*$/],
	'--only': ['ONLY', /./],
	'--minutes': ['MINUTES', wholeNumber],
};

/**
 * `--seed 7` draws the same again, `--scale 300` tries three times as much, `--only "agent: run"` one
 * operation, `--path 12:0:1` one case of it, `--minutes 20` soaks for so long; the rest is jest's, such
 * as the name of one fuzz run.
 */
function settings(args) {
	const own = {};
	const rest = [];
	for (let index = 0; index < args.length; index += 1) {
		const option = options[args[index]];
		if (option) {
			const [name, pattern] = option;
			const value = args[index + 1] ?? '';
			if (!pattern.test(value)) {
				console.error(`${args[index]} cannot be "${value}"`);
				process.exit(1);
			}
			own[`WEB_DATA_FAULTS_${name}`] = value;
			index += 1;
		} else rest.push(args[index]);
	}
	const { WEB_DATA_FAULTS_SEED: seed = String(randomInt(2 ** 31)) } = { ...process.env, ...own };
	return { env: { ...process.env, ...own, WEB_DATA_FAULTS_SEED: seed }, seed, rest };
}

/**
 * The fuzz runs that try what `--only` names: those that use the list in which it stands.
 * @throws {Failure} where it stands in none
 */
async function fuzzRunsOf(only) {
	const compiled = async (file) =>
		await import(pathToFileURL(join(projectRoot, '.build/test', file)));
	const { inWords, operationNames } = await compiled('engine/operationNames.cjs');
	const { triggerWorks } = await compiled('faults/triggerWorks.cjs');
	const lists = {
		chosenOperations: operationNames.map(inWords),
		triggerWorks: triggerWorks.map(({ name }) => name),
	};
	const list = Object.keys(lists).find((each) => lists[each].includes(only));
	if (!list) {
		const names = Object.values(lists).flat().join('\n     ');
		throw new Failure(`--only cannot be "${only}". It takes one of these:\n     ${names}`);
	}
	const folder = join(projectRoot, 'test/faults');
	return readdirSync(folder)
		.filter((file) => file.endsWith('.test.cts'))
		.filter((file) => readFileSync(join(folder, file), 'utf8').includes(list))
		.map((file) => file.replace(/\.cts$/, '.cjs'));
}

/** Everything up to the fuzz runs, and then those; resolves with the counts. */
async function runFuzz({ env, rest }) {
	const { WEB_DATA_FAULTS_ONLY: only } = env;
	const patterns = [];
	const findFuzzRuns = async () => {
		for (const file of await fuzzRunsOf(only)) patterns.push(`--testMatch=**/faults/${file}`);
	};
	const { failed } = await runSteps([
		['Install what is missing', ensureInstalled],
		['Build the package', ensurePackage],
		['Compile the tests and the mock server', ensureTests],
		...(only ? [[`Find the fuzz runs of ${only}`, findFuzzRuns]] : []),
	]);
	if (failed) {
		console.log(`\nNo fuzz run was started, since this failed: ${failed}`);
		return { passed: 0, failed: 1 };
	}
	const config = ['--config', 'test/faults/jest.config.cjs', ...rest, ...patterns];
	return await runJest('Fuzz runs (jest)', '.build/faults.json', config, { env });
}

const { seed, ...fuzz } = settings(process.argv.slice(2));
console.log(`Seed ${seed}. The same again: npm run test:faults -- --seed ${seed}`);
const { passed, failed } = await runFuzz(fuzz);
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
console.log(`\nFaults, seed ${seed}, in ${minutes} minutes:\n${passed} passed, ${failed} failed`);
if (failed > 0) {
	console.log(
		`One of them again alone: npm run test:faults -- chaos --seed ${seed} --only "agent: run" --path <as its report says>`,
	);
}
process.exitCode = failed === 0 ? 0 : 1;
