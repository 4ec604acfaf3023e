import { randomInt } from 'node:crypto';

import { ensurePackage, ensureTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runJest } from './jest.mjs';
import { runSteps } from './run.mjs';

const begun = performance.now();

/**
 * `--seed 7` draws the same again, `--scale 300` tries three times as much, `--only "agent: run"` one
 * operation, `--path 12:0:1` one case of it, `--minutes 20` soaks for so long; the rest is jest's, such
 * as the name of one campaign.
 */
function settings(args) {
	const names = {
		'--seed': 'SEED',
		'--scale': 'SCALE',
		'--path': 'PATH',
		'--only': 'ONLY',
		'--minutes': 'MINUTES',
	};
	const own = {};
	const rest = [];
	for (let index = 0; index < args.length; index += 1) {
		const name = names[args[index]];
		if (name) own[`WEB_DATA_FAULTS_${name}`] = args[(index += 1)];
		else rest.push(args[index]);
	}
	const { WEB_DATA_FAULTS_SEED: seed = String(randomInt(2 ** 31)) } = { ...process.env, ...own };
	return { env: { ...process.env, ...own, WEB_DATA_FAULTS_SEED: seed }, seed, rest };
}

/** Everything up to the campaigns, and then those; resolves with the counts. */
async function runCampaigns({ env, rest }) {
	const { failed } = await runSteps([
		['Install what is missing', ensureInstalled],
		['Build the package', ensurePackage],
		['Compile the tests and the mock server', ensureTests],
	]);
	if (failed) {
		console.log(`\nNo campaign was run, since this failed: ${failed}`);
		return { passed: 0, failed: 1 };
	}
	const config = ['--config', 'test/faults/jest.config.cjs', ...rest];
	return await runJest('Run the campaigns of faults (jest)', '.build/faults.json', config, { env });
}

const { seed, ...campaigns } = settings(process.argv.slice(2));
console.log(`Seed ${seed}. The same again: npm run test:faults -- --seed ${seed}`);
const { passed, failed } = await runCampaigns(campaigns);
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
console.log(`\nFaults, seed ${seed}, in ${minutes} minutes:\n${passed} passed, ${failed} failed`);
if (failed > 0) {
	console.log(
		`One of them again alone: npm run test:faults -- chaos --seed ${seed} --only "agent: run" --path <as its report says>`,
	);
}
process.exitCode = failed === 0 ? 0 : 1;
