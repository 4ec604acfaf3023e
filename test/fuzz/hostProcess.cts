import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { NodeRunOptions } from '../engine/harness.cjs';
import type { CredentialsByType } from '../engine/runCredentials.cjs';
import { projectRoot } from '../root.cjs';

/** What a process is to do, all of it JSON. */
export interface HostOrder {
	credentials: CredentialsByType;
	/** Executions to begin. */
	begun: Array<Omit<NodeRunOptions, 'credentials'>>;
}

/** An execution has ended, as n8n's database holds it. */
export interface HostMessage {
	stored: string;
}

/** A process of n8n's engine with the package, and what it said since its last order. */
export class HostProcess {
	readonly stored: string[] = [];
	private readonly child: ChildProcess;
	private readonly printed: Promise<string[]>;

	constructor() {
		this.child = fork(join(projectRoot, '.build/test/fuzz/hostingProcess.cjs'), {
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		});
		const { stdout, stderr } = this.child;
		if (!stdout || !stderr) throw new Error('The process has no output');
		this.printed = Promise.all([text(stdout), text(stderr)]);
		this.child.on('message', (message: HostMessage) => {
			this.stored.push(message.stored);
		});
	}

	send(order: HostOrder): void {
		this.stored.length = 0;
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
