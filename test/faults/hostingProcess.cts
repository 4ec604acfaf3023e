import { createEngine } from '../engine/harness.cjs';
import { WaitingExecutions } from '../engine/waiting.cjs';
import type { HostMessage, HostOrder } from './hostProcess.cjs';

const tell = (message: HostMessage): void => void process.send?.(message);

const engineReady = createEngine();

/** A process that takes over what another one left, begins executions of its own, and is killed some time. */
async function host({ credentials, port, adopted, begun }: HostOrder): Promise<void> {
	const engine = await engineReady;
	const executions = new WaitingExecutions(engine, credentials);
	for (const execution of adopted) {
		executions.adopt(execution);
		void executions.ended(execution.id).then((run) => {
			tell({ ended: { stored: executions.get(execution.id), items: run.output() } });
		});
	}
	await executions.open(port);
	tell({ listening: executions.port });
	for (const options of begun) {
		const { id, done } = executions.startNode(options);
		void done.then(() => tell({ stored: executions.get(id) }));
	}
}

process.on('message', (order: HostOrder) => void host(order));
process.once('disconnect', () => process.exit());
