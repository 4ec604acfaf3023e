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

/** What is tried with the settings of n8n 3.0: files and storage, expressions, Code nodes, workers, other hosts. */
const AS_3_0 = ['calls.test', 'credential.test', 'examples.test', 'expressions.test', 'queue.test'];

/** Takes an option and its value from the arguments. Ends the process where the value is none of `values`. */
function takeOption(args, name, values) {
	const place = args.indexOf(name);
	if (place === -1) return undefined;
	const [, value] = args.splice(place, 2);
	if (values.includes(value)) return value;
	console.error(`${name} takes ${values.join(' or ')}, and not ${value ?? 'nothing'}`);
	return process.exit(1);
}

/** `--n8n 1.123` takes an earlier n8n than the newest, `--as 3.0` gives the newest the settings of n8n 3.0; the rest is jest's. */
function settings(args) {
	const earlier = takeOption(args, '--n8n', earlierVersions);
	const as = takeOption(args, '--as', ['3.0']);
	const chosen = [...(earlier ? IN_EARLIER : []), ...(as ? AS_3_0 : [])];
	return { earlier, as, tests: args.length === 0 ? chosen : args };
}

const { earlier, as, tests } = settings(process.argv.slice(2));
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
					WEB_DATA_AS: as,
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
