import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod/v3';
import { projectRoot } from '../root.cjs';

const folder = join(projectRoot, '.github/workflows');
const permissions = z.record(z.enum(['read', 'write', 'none']));
const workflow = z.object({
	permissions,
	jobs: z.record(
		z.object({
			needs: z.string().optional(),
			environment: z.string().optional(),
			strategy: z.unknown(),
			permissions: permissions.optional(),
			steps: z.array(
				z.object({
					uses: z.string().optional(),
					run: z.string().optional(),
					with: z.record(z.unknown()).optional(),
				}),
			),
		}),
	),
});

/** Commands that fetch what they run. */
const fetching = /\b(npx|npm exec|curl|wget)\b/;

const text = (file: string) => readFileSync(join(folder, file), 'utf8');
const files = readdirSync(folder);
const read = (file: string) => workflow.parse(parse(text(file)));
const rightsOf = (file: string) => {
	const { permissions: usual, jobs } = read(file);
	return Object.entries(jobs).map(([name, job]) => ({ name, ...(job.permissions ?? usual) }));
};

describe.each(files)('the workflow %s', (file) => {
	it('pins every action by its commit, with the version beside it', () => {
		const lines = text(file).match(/^.*\buses:.*$/gm) ?? [];
		const steps = Object.values(read(file).jobs).flatMap((job) => job.steps);
		expect(lines).toHaveLength(steps.filter(({ uses }) => uses).length);
		for (const line of lines) {
			expect(line).toMatch(/^\s*- uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
		}
	});

	it('leaves no token behind in the checkout', () => {
		const checkouts = Object.values(read(file).jobs)
			.flatMap((job) => job.steps)
			.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
		expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(
			checkouts.map(() => false),
		);
	});

	it('runs nothing that no lockfile names', () => {
		expect(text(file)).not.toMatch(fetching);
	});
});

it('no command of the package runs what no lockfile names', () => {
	const manifest = readFileSync(join(projectRoot, 'package.json'), 'utf8');
	const { scripts } = z.object({ scripts: z.record(z.string()) }).parse(JSON.parse(manifest));
	expect(Object.keys(scripts)).toContain('test');
	for (const command of Object.values(scripts)) expect(command).not.toMatch(fetching);
});

it('only the job that publishes has rights, and only the one that it needs for it', () => {
	const rights = files.flatMap((file) => rightsOf(file).map((job) => ({ file, ...job })));
	expect(rights.filter((job) => Object.values(job).includes('write'))).toEqual([
		{ file: 'publish.yml', name: 'publish', 'id-token': 'write' },
	]);
});

it('what is published was tested, and nothing of it runs with the rights', () => {
	const { test, publish } = read('publish.yml').jobs;
	expect([publish.needs, publish.environment]).toEqual(['test', 'npm']);
	const commands = (job: typeof test) => job.steps.flatMap(({ run }) => run ?? []);
	expect(commands(test)).toEqual(
		expect.arrayContaining(['npm test', 'npm run build', 'npm pack --ignore-scripts']),
	);
	expect(commands(publish)).toEqual([expect.stringMatching(/^npm publish --ignore-scripts /)]);
	const uses = publish.steps.flatMap((step) => step.uses?.split('@')[0] ?? []);
	expect(uses).toEqual(['actions/setup-node', 'actions/download-artifact']);
});

it('CI has one definition: its workflow runs parts of .ci/run alone, and the fuzz runs in one job', () => {
	const { jobs } = read('ci.yml');
	const commands = Object.values(jobs).flatMap(({ steps }) =>
		steps.flatMap(({ run }) => run ?? []),
	);
	// Only the newest n8n is taken otherwise, where a job asks for it.
	const others = commands.filter((command) => !command.startsWith('npm install '));
	expect(others.filter((command) => !/^\.ci\/run \S/.test(command))).toEqual([]);

	const [, usual = ''] =
		/^\tset -- (.+)$/m.exec(readFileSync(join(projectRoot, '.ci/run'), 'utf8')) ?? [];
	const parts = new Set(usual.match(/test(?::\w+)?/g));
	for (const part of parts) expect(others.some((command) => command.includes(part))).toBe(true);
	expect(others.filter((command) => command.includes('test:faults'))).toHaveLength(1);
	expect(jobs.faults.strategy).toBeUndefined();
});
