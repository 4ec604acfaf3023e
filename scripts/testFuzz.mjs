import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureBuilt } from './build.mjs';
import { Failure, minutesSoFar, projectRoot, runSteps } from './run.mjs';
import { runJest } from './test.mjs';

const wholeNumber = /^-?\d+$/;

/** The environment of the fuzz runs: each option by its name in capitals. */
function environmentOf(values) {
	const own = Object.entries(values).map(([name, value]) => [
		`WEB_DATA_FAULTS_${name.toUpperCase()}`,
		value,
	]);
	return {
		WEB_DATA_FAULTS_SEED: String(randomInt(2 ** 31)),
		...process.env,
		...Object.fromEntries(own),
	};
}

/**
 * The fuzz runs that try the operation of `--only`.
 * @throws {Failure} for another name
 */
async function fuzzRunsOf(only) {
	const compiled = pathToFileURL(join(projectRoot, '.build/test/engine/operationNames.cjs'));
	const { inWords, operationNames } = await import(compiled);
	const names = operationNames.map(inWords);
	if (!names.includes(only)) {
		const all = names.join('\n     ');
		throw new Failure(`--only cannot be "${only}". It takes one of these:\n     ${all}`);
	}
	const folder = join(projectRoot, 'test/fuzz');
	return readdirSync(folder)
		.filter((file) => file.endsWith('.test.cts'))
		.filter((file) => readFileSync(join(folder, file), 'utf8').includes('chosenOperations'))
		.map((file) => file.replace(/\.cts$/, '.cjs'));
}

/** Everything up to the fuzz runs, and then those; resolves with the counts. */
async function runFuzz(env, rest) {
	const { WEB_DATA_FAULTS_ONLY: only } = env;
	const patterns = [];
	const findFuzzRuns = async () => {
		for (const file of await fuzzRunsOf(only)) patterns.push(`--testMatch=**/fuzz/${file}`);
	};
	const { failed } = await runSteps([
		ensureBuilt,
		...(only ? [[`Find the fuzz runs of ${only}`, findFuzzRuns]] : []),
	]);
	if (failed) {
		console.log(`\nNo fuzz run was started, since this failed: ${failed}`);
		return { passed: 0, failed: 1 };
	}
	const config = ['--config', 'test/fuzz/jest.config.cjs', ...rest, ...patterns];
	return await runJest('Fuzz runs (jest)', '.build/faults.json', config, { env });
}

export const testFuzz = {
	about: 'Draws input and faults, stops and soaks; the rest of the arguments names fuzz runs.',
	options: {
		seed: { type: 'string', value: 'N', about: 'draws the same again', pattern: wholeNumber },
		scale: {
			type: 'string',
			value: 'N',
			about: 'in percent: 300 tries three times as much',
			pattern: wholeNumber,
		},
		only: {
			type: 'string',
			value: '"agent: run"',
			about: 'one operation',
			pattern: /./,
		},
		path: { type: 'string', value: '12:0:1', about: 'one case of it', pattern: /^\d+(:\d+)*$/ },
		minutes: { type: 'string', value: 'N', about: 'how long it soaks', pattern: wholeNumber },
	},
	passesOn: 'jest',
	async run(values, rest) {
		const env = environmentOf(values);
		const { WEB_DATA_FAULTS_SEED: seed } = env;
		console.log(`Seed ${seed}. The same again: npm run test:fuzz -- --seed ${seed}`);
		const { passed, failed } = await runFuzz(env, rest);
		console.log(
			`\nFaults, seed ${seed}, in ${minutesSoFar()} minutes:\n${passed} passed, ${failed} failed`,
		);
		if (failed > 0) {
			console.log(
				`One of them again alone: npm run test:fuzz -- chaos --seed ${seed} --only "agent: run" --path <as its report says>`,
			);
		}
		return failed === 0 ? 0 : 1;
	},
};
