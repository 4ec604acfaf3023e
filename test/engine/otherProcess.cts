import { fork, type ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { join } from 'node:path';
import type { INodeExecutionData } from 'n8n-workflow';
import { projectRoot } from '../root.cjs';
import type { CredentialsByType } from './runCredentials.cjs';
import type { StoredExecution } from './waiting.cjs';

/** What the other process is given, all of it JSON. */
export interface ProcessOrder {
	execution: StoredExecution;
	credentials: CredentialsByType;
	/** Where the execution's resume address leads. */
	port: number;
}

/** The execution's end, and the items that the node under test gave. */
export interface TakenOver {
	stored: StoredExecution;
	items: INodeExecutionData[];
}

export type ProcessMessage = { listening: true } | { ended: TakenOver };

/** A fresh process in which a waiting execution goes on, as after a restart of n8n. */
export class OtherProcess {
	private readonly child: ChildProcess;
	private readonly messages: AsyncIterableIterator<ProcessMessage[]>;

	constructor() {
		this.child = fork(join(projectRoot, '.build/test/engine/resumingProcess.cjs'), {
			stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
		});
		this.messages = on(this.child, 'message', { close: ['disconnect'] });
	}

	/** Resolves when the process has the execution and listens for its call. */
	async takeOver(order: ProcessOrder): Promise<void> {
		this.child.send(order);
		await this.next('listening');
	}

	/** Resolves when the execution has ended there. */
	async ended(): Promise<TakenOver> {
		return await this.next('ended');
	}

	kill(): void {
		this.child.kill();
	}

	private async next<Name extends 'listening' | 'ended'>(
		name: Name,
	): Promise<Extract<ProcessMessage, Record<Name, unknown>>[Name]> {
		const { value, done } = await this.messages.next();
		if (done) throw new Error(`The process ended before it said "${name}"`);
		const [message] = value;
		if (!(name in message)) throw new Error(`Expected "${name}": ${JSON.stringify(message)}`);
		return Reflect.get(message, name);
	}
}
