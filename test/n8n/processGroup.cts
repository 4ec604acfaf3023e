import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../root.cjs';
import { surroundings } from './surroundings.cjs';
import { until } from './until.cjs';

/** Where what the programs say is kept, a file for each name. */
export const logOf = (name: string) => join(projectRoot, '.build/n8n/logs', `${name}.log`);

/** The last lines of a program's log. */
const lastWords = (name: string): string =>
	readFileSync(logOf(name), 'utf8').trimEnd().split('\n').slice(-20).join('\n');

/** A program beside the tests with the processes that it starts, noted so that the scripts end them whatever happens. */
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
		// The program writes its log itself, so that its last words are there when it has ended.
		const log = openSync(logOf(name), 'a');
		const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', log, log] });
		closeSync(log);
		const note = join(surroundings().work, 'processes', String(child.pid));
		mkdirSync(dirname(note), { recursive: true });
		writeFileSync(note, '');
		child.once('close', () => rmSync(note, { force: true }));
		return new ProcessGroup(name, child);
	}

	/** Resolves when `isReady` says so. @throws with the program's last words when it ends before that */
	async ready(isReady: () => Promise<boolean>): Promise<void> {
		await until(`${this.name} to be ready`, async () => {
			const { exitCode, signalCode } = this.child;
			if (this.ended) {
				const end = exitCode ?? signalCode;
				throw new Error(`${this.name} ended with ${end}:\n${lastWords(this.name)}`);
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
