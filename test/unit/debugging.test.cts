import { execFileSync } from 'node:child_process';
import { projectRoot } from '../root.cjs';

/** What Jest is told, by a process of Node with these options. */
const settings = (...options: string[]): { maxWorkers: number; workerIdleMemoryLimit?: string } =>
	JSON.parse(
		execFileSync(
			process.execPath,
			[...options, '-p', "JSON.stringify(require('./jest.config.cjs'))"],
			{ cwd: projectRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
		),
	);

describe('Jest', () => {
	it('runs tests in its own process under a debugger, which sees no worker', () => {
		// With any limit of memory it takes workers, --runInBand or not.
		expect(settings('--inspect=0')).toMatchObject({ maxWorkers: 1 });
		expect(settings('--inspect=0')).not.toHaveProperty('workerIdleMemoryLimit');
	});

	it('runs tests in workers, which are replaced when they have grown, otherwise', () => {
		const { maxWorkers, workerIdleMemoryLimit } = settings();
		expect(maxWorkers).toBeGreaterThan(1);
		expect(workerIdleMemoryLimit).toBe('1GB');
	});
});
