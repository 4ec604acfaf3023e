import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { ensureOfficialPack, kitFolder } from './install.mjs';
import {
	adviceOn,
	chromium,
	earlierVersions,
	missingPrograms,
	postgres,
	preparation,
	redis,
	surroundings,
	withWorkFolder,
} from './n8n.mjs';
import { execute, Failure, minutesSoFar, projectRoot, runSteps } from './run.mjs';
import { runJest } from './test.mjs';

/** Logs, pictures and the report of the last run. */
const OUTPUT = '.build/n8n';

/** What is tried in an earlier n8n: what it does otherwise, and no editor. */
const IN_EARLIER = ['credential.test', 'restart.test', 'triggers.test', 'agent.test'];

/** What is tried with the settings of n8n 3.0: files and storage, expressions, Code nodes, workers. */
const AS_3_0 = ['credential.test', 'examples.test', 'queue.test'];

/** What takes pictures of the editor. */
const PICTURES = ['pictures.test', 'clicks.test', 'editor.test', 'panels.pictures'];

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

const taken = join(projectRoot, '.build/n8n/screenshots');
const kept = join(projectRoot, 'docs/images');

/** Puts a picture into the documentation, with fewer colours where pngquant is installed. */
async function keep(name, as) {
	const [from, to] = [join(taken, name), join(kept, as)];
	mkdirSync(dirname(to), { recursive: true });
	const reduce = ['--force', '--strip', '--output', to, '64', from];
	const reduced = await execute('pngquant', reduce).catch(() => undefined);
	if (reduced !== 0) copyFileSync(from, to);
}

/** The pictures of the documentation beside the canvas of each example: the name under which a test takes one, and its own. */
const stills = {
	'clicks/search-with-markdown-1-found': 'search-1-found',
	'clicks/search-with-markdown-2-filled': 'search-2-filled',
	'clicks/search-with-markdown-3-results': 'search-3-results',
	'agent-table': 'agent-run',
	trigger: 'trigger',
	'ai-agent': 'ai-agent',
};

/** Puts the pictures that the tests have taken into the documentation. */
async function keepPictures() {
	for (const name of readdirSync(join(taken, 'examples'))) {
		await keep(join('examples', name), join('examples', name));
	}
	for (const [still, as] of Object.entries(stills)) await keep(`${still}.png`, `${as}.png`);
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
		pictures: {
			type: 'boolean',
			about:
				"take the documentation's pictures anew; those of all panels are in .build/n8n/screenshots/panels",
		},
	},
	passesOn: 'jest',
	async run({ n8n: earlier, as, pictures }, rest) {
		rmSync(join(projectRoot, OUTPUT), { recursive: true, force: true });
		mkdirSync(join(projectRoot, OUTPUT), { recursive: true });
		const chosen = [
			...(earlier ? IN_EARLIER : []),
			...(as ? AS_3_0 : []),
			...(pictures ? ['--testMatch', ...PICTURES.map((name) => `**/${name}.cjs`)] : []),
		];
		const tests = rest.length === 0 ? chosen : rest;
		const { passed, failed } = await withWorkFolder((work) => testInN8n(work, earlier, as, tests));
		if (pictures && failed === 0) await keepPictures();
		console.log(`\nIn n8n, in ${minutesSoFar()} minutes:\n${passed} passed, ${failed} failed`);
		return failed === 0 ? 0 : 1;
	},
};
