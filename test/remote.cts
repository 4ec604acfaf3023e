import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from './root.cjs';

/** What a process of its own answers to an order. */
type Reply<Report> = { report: Report } | { failure: string };

/** How a process is started. */
interface Start {
	env?: Record<string, string>;
	execArgv?: string[];
}

/** A process of its own that does what it is told, one order after the other. */
export class Remote<Order extends object, Report> {
	private readonly child: ChildProcess;

	/** `file`: a module of the repository, as it is compiled, that calls `serveOrders`. */
	constructor(file: string, { env = {}, execArgv = [] }: Start = {}) {
		this.child = fork(join(projectRoot, '.build', file), {
			execArgv,
			env: { ...process.env, ...env },
			stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
		});
	}

	/** Has one order done, when the one before is. @throws when the process failed at it, or ended */
	async ask(order: Order): Promise<Report> {
		const over = new AbortController();
		const { signal } = over;
		try {
			const ended = once(this.child, 'exit', { signal }).then(([code]: unknown[]): never => {
				throw new Error(`The process of an order ended with ${String(code)}`);
			});
			const answered = once(this.child, 'message', { signal });
			ended.catch(() => undefined);
			this.child.send(order);
			const [reply]: Array<Reply<Report>> = await Promise.race([answered, ended]);
			if ('failure' in reply) throw new Error(reply.failure);
			return reply.report;
		} finally {
			over.abort();
		}
	}

	/** Ends the process. */
	async end(): Promise<void> {
		if (this.child.exitCode !== null || this.child.signalCode !== null) return;
		const ended = once(this.child, 'exit');
		this.child.kill();
		await ended;
	}
}

/** Does in this process what the other side asks for. */
export function serveOrders<Order, Report>(work: (order: Order) => Promise<Report>): void {
	const answer = async (order: Order): Promise<Reply<Report>> =>
		await work(order).then(
			(report) => ({ report }),
			(error: Error) => ({ failure: error.stack ?? error.message }),
		);
	process.on('message', (order: Order) => {
		void answer(order).then((reply) => process.send?.(reply));
	});
}
