import { stringify } from 'flatted';
import { createEngine } from '../engine/harness.cjs';
import type { HostMessage, HostOrder } from './hostProcess.cjs';

const tell = (message: HostMessage): void => void process.send?.(message);

const engineReady = createEngine();

/** A process that begins executions and is killed some time. */
async function host({ credentials, begun }: HostOrder): Promise<void> {
	const engine = await engineReady;
	for (const options of begun) {
		void engine.runNode({ ...options, credentials }).then((run) => {
			tell({ stored: stringify(run.data) });
		});
	}
}

process.on('message', (order: HostOrder) => void host(order));
process.once('disconnect', () => process.exit());
