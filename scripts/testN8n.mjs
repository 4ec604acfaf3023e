import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { preparation, surroundings } from './inN8n.mjs';
import { runJest } from './jest.mjs';
import { ensureOfficialPack, kitFolder } from './kit.mjs';
import { earlierVersions } from './n8n.mjs';
import { adviceOn, chromium, missingPrograms, postgres, redis } from './programs.mjs';
import { Failure, minutesSoFar, projectRoot, runSteps } from './run.mjs';
import { withWorkFolder } from './workFolder.mjs';

/** Logs, pictures and the report of the last run. */
const OUTPUT = '.build/n8n';

/** What is tried in an earlier n8n: what it does otherwise, and no editor. */
const IN_EARLIER = ['calls.test', 'credential.test', 'restart.test', 'triggers.test', 'agent.test'];

/** What is tried with the settings of n8n 3.0: files and storage, expressions, Code nodes, workers, other hosts. */
const AS_3_0 = ['calls.test', 'credential.test', 'examples.test', 'expressions.test', 'queue.test'];

/** Says what is not run for want of a program. @throws {Failure} where every test must run */
function checkPrograms(missing) {
	for (const program of missing) console.log(`   ${adviceOn(program)}`);
	if (missing.length > 0 && process.env.CI) throw new Failure('In CI every test is run');
}

/** Everything up to the tests, and then those; resolves with the counts. */
async function testInN8n(work, earlier, as, tests) {
	const missing = earlier === undefined ? missingPrograms() : [];
	let tarball;
	const { failed } = await runSteps([
		...preparation(work, (path) => void (tarball = path), earlier),
		['Install the official pack, whose workflows are converted', ensureOfficialPack],
		['Find Chromium, Redis and PostgreSQL', () => checkPrograms(missing)],
	]);
	if (failed) {
		console.log(`\nNo test was run, since this failed: ${failed}`);
		return { passed: 0, failed: 1 };
	}
	// The tests that need a program that is missing, as patterns of paths.
	const withoutProgram = missing.flatMap(({ tests: needing }) =>
		needing.map((name) => `--testPathIgnorePatterns=${name}`),
	);
	return await runJest(
		'Run the tests in n8n (jest)',
		`${OUTPUT}/jest.json`,
		['--config', 'test/n8n/jest.config.cjs', ...tests, ...withoutProgram],
		{
			env: surroundings(
				work,
				{
					WEB_DATA_TARBALL: tarball,
					WEB_DATA_AS: as,
					WEB_DATA_PEER: kitFolder('bench'),
					WEB_DATA_CHROMIUM: chromium(),
					WEB_DATA_REDIS: redis(),
					WEB_DATA_POSTGRES: postgres(),
				},
				earlier,
			),
		},
	);
}

export const testN8n = {
	about: 'Runs the tests in the real n8n: server, editor, AI Agent, queue.',
	options: {
		n8n: {
			type: 'string',
			value: 'VERSION',
			about: `an earlier n8n than the newest: ${earlierVersions.join(', ')}`,
			choices: earlierVersions,
		},
		as: {
			type: 'string',
			value: '3.0',
			about: 'the newest with the settings of n8n 3.0',
			choices: ['3.0'],
		},
	},
	passesOn: 'jest',
	async run({ n8n: earlier, as }, rest) {
		rmSync(join(projectRoot, OUTPUT), { recursive: true, force: true });
		const chosen = [...(earlier ? IN_EARLIER : []), ...(as ? AS_3_0 : [])];
		const tests = rest.length === 0 ? chosen : rest;
		const { passed, failed } = await withWorkFolder((work) => testInN8n(work, earlier, as, tests));
		console.log(`\nIn n8n, in ${minutesSoFar()} minutes:\n${passed} passed, ${failed} failed`);
		return failed === 0 ? 0 : 1;
	},
};
