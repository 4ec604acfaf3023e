import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/v3';
import { ages } from '../mock-server/servers.cjs';
import { projectRoot } from '../root.cjs';

const manifest = z
	.object({ scripts: z.record(z.string()) })
	.parse(JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')));

/** What npm runs by itself when it publishes is no command for people. */
const { prepublishOnly: _hook, ...scripts } = manifest.scripts;
const commands = Object.keys(scripts);

/** They hand to another program what they do not know themselves: it refuses that. */
const passOn = ['test', 'dev', 'lint', 'jest', 'test:n8n', 'test:faults', 'release'];

/** Node forbids what is run so to start processes, to write, and to read what a fresh clone does not have. */
const confined = [
	process.allowedNodeEnvironmentFlags.has('--permission')
		? '--permission'
		: '--experimental-permission',
	'--no-warnings',
	...['package.json', 'scripts/*', 'nodes/*', 'test/*'].map(
		(path) => `--allow-fs-read=${join(projectRoot, path)}`,
	),
];

/** Runs a command of package.json where it can start and change nothing. */
function run(name: string, ...args: string[]) {
	const [program, ...script] = scripts[name].split(' ');
	expect(program).toBe('node');
	const all = [...confined, ...script, ...args];
	return spawnSync(process.execPath, all, { cwd: projectRoot, encoding: 'utf8' });
}

describe('the commands of package.json', () => {
	it.each(commands)('%s --help says what it does and starts nothing', (name) => {
		const { status, stdout, stderr } = run(name, '--help');

		expect([status, stderr]).toEqual([0, '']);
		expect(stdout).toMatch(new RegExp(`^npm (run )?${name} -- .*\\[options\\]\n\n\\S`));
	});

	it.each(commands.filter((name) => !passOn.includes(name)))(
		'%s refuses an option that it does not have, and shows those that it has',
		(name) => {
			const { status, stdout, stderr } = run(name, '--frobnicate');

			expect([status, stdout]).toEqual([2, '']);
			expect(stderr).toContain("Unknown option '--frobnicate'");
			expect(stderr).toContain('--help');
		},
	);

	it.each([
		['start', ['--example', 'none'], 'takes one of search-and-read, agent'],
		['start', ['--api-key', 'k'], '--api-key needs --base-url'],
		['start', ['--example', 'watch', '--base-url', 'https://api.example'], 'leave --base-url out'],
		['service', ['--server', '1999'], `takes one of ${ages.join(', ')}`],
		['service', ['3002', '3003'], 'takes one argument'],
		['bench', ['--repeats', '0'], '--repeats cannot be "0"'],
		['test:versions', ['0.1'], 'takes one of 1.105'],
	])('%s refuses %j', (name, args, message) => {
		const { status, stdout, stderr } = run(name, ...args);

		expect([status, stdout]).toEqual([2, '']);
		expect(stderr).toContain(message);
	});

	it('cannot start anything in this test: a command that does its work fails', () => {
		const { status, stderr } = run('docs');

		expect([status, stderr]).toEqual([1, expect.stringContaining('ERR_ACCESS_DENIED')]);
	});
});
