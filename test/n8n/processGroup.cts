import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../root.cjs';
import { surroundings } from './surroundings.cjs';
import { until } from './until.cjs';

/** Where what the programs say is kept, a file for each name. */
export const logOf = (name: string) => join(projectRoot, '.build/n8n/logs', `${name}.log`);

/**
 * A program beside the tests, with the processes that it starts itself: they are one group. It is
 * noted, so that the scripts end it whatever happens.
 */
export class ProcessGroup {
	private constructor(
		private readonly name: string,
		private readonly child: ChildProcess,
	) {}

	/** `name` is that of its log. */
	static start(
		name: string,
		command: string,
		args: string[],
		options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>,
	): ProcessGroup {
		mkdirSync(dirname(logOf(name)), { recursive: true });
		const log = createWriteStream(logOf(name), { flags: 'a' });
		const child = spawn(command, args, {
			...options,
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		child.stdout.pipe(log);
		child.stderr.pipe(log);
		const note = join(surroundings().work, 'processes', String(child.pid));
		mkdirSync(dirname(note), { recursive: true });
		writeFileSync(note, '');
		child.once('close', () => rmSync(note, { force: true }));
		return new ProcessGroup(name, child);
	}

	/** Resolves when `isReady` says so. @throws when the program ends before that */
	async ready(isReady: () => Promise<boolean>): Promise<void> {
		await until(`${this.name} to be ready`, async () => {
			const { exitCode } = this.child;
			if (exitCode !== null) {
				throw new Error(`${this.name} ended with ${exitCode}; see ${logOf(this.name)}`);
			}
			return (await isReady()) || undefined;
		});
	}

	/** Has the program end in its own way, by SIGTERM if it has no other signal for that. */
	async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
		if (this.ended) return;
		const closed = once(this.child, 'close');
		this.child.kill(signal);
		const late = setTimeout(() => this.signal('SIGKILL'), 30_000);
		await closed;
		clearTimeout(late);
		this.signal('SIGKILL');
	}

	/** Ends all of it at once, as a power cut does. */
	async kill(): Promise<void> {
		if (this.ended) return;
		const closed = once(this.child, 'close');
		this.signal('SIGKILL');
		await closed;
	}

	private get ended(): boolean {
		const { pid, exitCode, signalCode } = this.child;
		return pid === undefined || exitCode !== null || signalCode !== null;
	}

	private signal(signal: NodeJS.Signals): void {
		if (!this.child.pid) return;
		try {
			process.kill(-this.child.pid, signal);
		} catch (error) {
			// Nobody is left of the group. (Jest has an Error of its own: instanceof would not know this one.)
			if (Reflect.get(Object(error), 'code') !== 'ESRCH') throw error;
		}
	}
}
