import { createEngine } from './harness.cjs';
import type { ProcessMessage, ProcessOrder } from './otherProcess.cjs';
import { WaitingExecutions } from './waiting.cjs';

/** A process that knows nothing but what the database held: it takes the execution over and waits for its call. */
async function takeOver({ execution, credentials, port }: ProcessOrder): Promise<void> {
	const tell = (message: ProcessMessage): void => void process.send?.(message);
	const engine = await createEngine();
	const executions = new WaitingExecutions(engine, credentials);
	executions.adopt(execution);
	const ended = executions.ended(execution.id);
	await executions.open(port);
	tell({ listening: true });
	const run = await ended;
	tell({ ended: { stored: executions.get(execution.id), items: run.output() } });
	await executions.close();
	engine.close();
	process.disconnect();
}

process.once('message', (order: ProcessOrder) => void takeOver(order));
