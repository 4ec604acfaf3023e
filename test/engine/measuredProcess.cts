import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { projectRoot } from '../root.cjs';
import type { CredentialsByType } from './runCredentials.cjs';

/** What the node is to do in the other process; all of it JSON. */
export interface MeasuredOrder {
	credentials: CredentialsByType;
	/** A small run first, so that what loads once does not count. */
	warmUp: INodeParameters;
	parameters: INodeParameters;
}

/** What came of it. Sizes in bytes. */
export interface Measured {
	error?: string;
	items: number;
	/** Length of all texts in the items' markdown. */
	size: number;
	/** Resident memory before the run, after a garbage collection. */
	baseline: number;
	/** The most resident memory that the process ever had. */
	peak: number;
}

/** Runs the node in a process of its own, which holds nothing else, and measures its memory there. */
export async function measure(order: MeasuredOrder): Promise<Measured> {
	const child = fork(join(projectRoot, '.build/test/engine/measuringProcess.cjs'), {
		execArgv: ['--expose-gc'],
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const failed = once(child, 'exit').then(([code]: unknown[]): never => {
		throw new Error(`The process ended with ${String(code)} before it said anything`);
	});
	child.send(order);
	const [measured]: Measured[] = await Promise.race([once(child, 'message'), failed]);
	child.kill();
	return measured;
}
