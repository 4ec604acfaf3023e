import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { preparation, surroundings } from './inN8n.mjs';
import { runJest } from './jest.mjs';
import { earlierVersions } from './n8n.mjs';
import { adviceOn, chromium, missingPrograms, postgres, redis } from './programs.mjs';
import { Failure, projectRoot, runSteps } from './run.mjs';
import { withWorkFolder } from './workFolder.mjs';

/** Logs, pictures and the report of the last run. */
const OUTPUT = '.build/n8n';

/** What is tried in an earlier n8n: what it does otherwise, and no editor. */
const IN_EARLIER = ['calls.test', 'credential.test', 'restart.test', 'triggers.test', 'agent.test'];

/** `--n8n 1.123` takes an earlier n8n than the newest; the rest is jest's. */
function settings(args) {
	const place = args.indexOf('--n8n');
	if (place === -1) return { tests: args };
	const earlier = args[place + 1];
	if (!earlierVersions.includes(earlier)) {
		console.error(`--n8n takes ${earlierVersions.join(' or ')}, and not ${earlier ?? 'nothing'}`);
		process.exit(1);
	}
	const rest = args.toSpliced(place, 2);
	return { earlier, tests: rest.length === 0 ? IN_EARLIER : rest };
}

const { earlier, tests } = settings(process.argv.slice(2));
const begun = performance.now();
rmSync(join(projectRoot, OUTPUT), { recursive: true, force: true });

const missing = earlier === undefined ? missingPrograms() : [];

/** Says what is not run for want of a program. @throws {Failure} where every test must run */
function checkPrograms() {
	for (const program of missing) console.log(`   ${adviceOn(program)}`);
	if (missing.length > 0 && process.env.CI) throw new Failure('In CI every test is run');
}

/** The tests that need a program that is missing, as patterns of paths. */
const withoutProgram = missing.flatMap(({ tests: needing }) =>
	needing.map((name) => `--testPathIgnorePatterns=${name}`),
);

/** Everything up to the tests, and then those; resolves with the counts. */
async function testInN8n(work) {
	let tarball;
	const { failed } = await runSteps([
		...preparation(work, (path) => void (tarball = path), earlier),
		['Find Chromium, Redis and PostgreSQL', checkPrograms],
	]);
	if (failed) {
		console.log(`\nNo test was run, since this failed: ${failed}`);
		return { passed: 0, failed: 1 };
	}
	return await runJest(
		'Run the tests in n8n (jest)',
		`${OUTPUT}/jest.json`,
		['--config', 'test/n8n/jest.config.cjs', ...tests, ...withoutProgram],
		{
			env: surroundings(
				work,
				{
					WEB_DATA_TARBALL: tarball,
					WEB_DATA_CHROMIUM: chromium(),
					WEB_DATA_REDIS: redis(),
					WEB_DATA_POSTGRES: postgres(),
				},
				earlier,
			),
		},
	);
}

const { passed, failed } = await withWorkFolder(testInN8n);
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
console.log(`\nIn n8n, in ${minutes} minutes:\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
