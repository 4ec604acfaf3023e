import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { NodeRunOptions } from '../engine/harness.cjs';
import type { TakenOver } from '../engine/otherProcess.cjs';
import type { CredentialsByType } from '../engine/runCredentials.cjs';
import type { StoredExecution } from '../engine/waiting.cjs';
import { projectRoot } from '../root.cjs';

/** What a process is to do, all of it JSON. */
export interface HostOrder {
	credentials: CredentialsByType;
	/** Where its waiting executions can be called; 0: anywhere. */
	port: number;
	/** Executions that another process stored. */
	adopted: StoredExecution[];
	/** Executions to begin. */
	begun: Array<Omit<NodeRunOptions, 'credentials'>>;
}

/** It can be called; an execution has ended or sleeps, as n8n's database holds it; an adopted one has ended. */
export type HostMessage =
	| { listening: number }
	| { stored: StoredExecution }
	| { ended: TakenOver };

/** A process of n8n's engine with the package, and what it said since its last order. */
export class HostProcess {
	readonly stored: StoredExecution[] = [];
	readonly ended: TakenOver[] = [];
	port = 0;
	private readonly child: ChildProcess;
	private readonly printed: Promise<string[]>;

	constructor() {
		this.child = fork(join(projectRoot, '.build/test/faults/hostingProcess.cjs'), {
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		});
		const { stdout, stderr } = this.child;
		if (!stdout || !stderr) throw new Error('The process has no output');
		this.printed = Promise.all([text(stdout), text(stderr)]);
		this.child.on('message', (message: HostMessage) => {
			if ('listening' in message) this.port = message.listening;
			else if ('stored' in message) this.stored.push(message.stored);
			else this.ended.push(message.ended);
		});
	}

	send(order: HostOrder): void {
		this.port = 0;
		this.stored.length = 0;
		this.ended.length = 0;
		this.child.send(order);
	}

	/** Ends it as a lack of memory or of power does. Resolves with all that it printed. */
	async kill(): Promise<string[]> {
		const exit = once(this.child, 'exit');
		this.child.kill('SIGKILL');
		const [, signal] = await exit;
		if (signal !== 'SIGKILL') throw new Error(`The process ended by itself: ${String(signal)}`);
		return await this.printed;
	}
}
