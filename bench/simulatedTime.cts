import { setImmediate as turn } from 'node:timers/promises';

interface Timer {
	at: number;
	work: () => void;
}

/**
 * Time that stands still while anything can go on, and then jumps to the next timer: hours within
 * milliseconds, and the same each time. While it runs, the clocks and timers of this process are its own.
 */
export class SimulatedTime {
	private now = 0;
	private next = 0;
	/** By their number; those due first are looked for in `queue`, a heap. */
	private readonly timers = new Map<number, Timer>();
	private readonly queue: Array<{ at: number; id: number }> = [];

	/** Does the work in this time. Resolves with the milliseconds that it took. */
	async run(work: () => Promise<unknown>): Promise<number> {
		const { setTimeout, clearTimeout } = globalThis;
		const [dateNow, performanceNow] = [Date.now, performance.now];
		const read = () => this.now;
		Object.assign(globalThis, {
			setTimeout: (callback: () => void, ms = 0) => this.set(callback, ms),
			clearTimeout: (id: number) => this.timers.delete(id),
		});
		Date.now = read;
		performance.now = read;
		try {
			let isOver = false;
			const end = () => {
				isOver = true;
			};
			const done = work();
			done.then(end, end);
			await turn();
			while (!isOver) {
				this.advance();
				await turn();
			}
			await done;
			return this.now;
		} finally {
			Object.assign(globalThis, { setTimeout, clearTimeout });
			Date.now = dateNow;
			performance.now = performanceNow;
		}
	}

	private set(work: () => void, ms: number): number {
		const id = (this.next += 1);
		const at = this.now + Math.max(1, Math.ceil(ms));
		this.timers.set(id, { at, work });
		this.push({ at, id });
		return id;
	}

	/** @throws Error where nothing is left that could go on */
	private advance(): void {
		for (;;) {
			const first = this.pop();
			if (first === undefined) throw new Error('Nothing is left to wait for');
			const timer = this.timers.get(first.id);
			if (timer === undefined) continue;
			this.timers.delete(first.id);
			this.now = timer.at;
			timer.work();
			return;
		}
	}

	private push(entry: { at: number; id: number }): void {
		const { queue } = this;
		let place = queue.length;
		queue.push(entry);
		while (place > 0) {
			const parent = (place - 1) >> 1;
			if (isBefore(queue[parent], entry)) break;
			queue[place] = queue[parent];
			place = parent;
		}
		queue[place] = entry;
	}

	private pop(): { at: number; id: number } | undefined {
		const { queue } = this;
		const [first] = queue;
		const last = queue.pop();
		if (last === undefined || queue.length === 0) return first;
		let place = 0;
		for (;;) {
			let child = 2 * place + 1;
			if (child >= queue.length) break;
			if (child + 1 < queue.length && isBefore(queue[child + 1], queue[child])) child += 1;
			if (isBefore(last, queue[child])) break;
			queue[place] = queue[child];
			place = child;
		}
		queue[place] = last;
		return first;
	}
}

const isBefore = (one: { at: number; id: number }, other: { at: number; id: number }) =>
	one.at < other.at || (one.at === other.at && one.id < other.id);
