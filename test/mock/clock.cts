import { AsyncLocalStorage } from 'node:async_hooks';

/** The one clock of the mock server. It follows real time until a test holds it; then only `advance` moves it. */
export class Clock {
	private offset = 0;
	private heldAt: number | undefined;
	private readonly waits = new Set<Wait>();
	private readonly requests = new Set<object>();
	private readonly request = new AsyncLocalStorage<object>();

	now(): number {
		return this.heldAt ?? Date.now() + this.offset;
	}

	get held(): boolean {
		return this.heldAt !== undefined;
	}

	get waiting(): number {
		return this.waits.size;
	}

	/** How many requests wait for this clock, however many waits each has. */
	get holding(): number {
		const holders = [...this.waits].flatMap(({ request }) => request ?? []);
		return new Set(holders.filter((request) => this.requests.has(request))).size;
	}

	/** Does the work of a request: while it goes on and somebody waits for it, the waits that it begins are the request's. */
	async working(request: object, gone: AbortSignal, work: () => Promise<void>): Promise<void> {
		if (!gone.aborted) this.requests.add(request);
		const leave = () => this.requests.delete(request);
		gone.addEventListener('abort', leave, { once: true });
		await this.request.run(request, work).finally(leave);
	}

	/** Resolves after `ms` on this clock; rejects with the signal's reason when aborted. */
	wait(ms: number, signal?: AbortSignal): Promise<void> {
		return this.waitUntil(this.now() + ms, signal);
	}

	/** Resolves at a time of this clock, neither before nor after; rejects as `wait` does. */
	waitUntil(due: number, signal?: AbortSignal): Promise<void> {
		return new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			const wait: Wait = { due, wake: () => end(resolve), request: this.request.getStore() };
			const end = (settle: () => void): void => {
				clearTimeout(wait.timer);
				this.waits.delete(wait);
				signal?.removeEventListener('abort', abort);
				settle();
			};
			const abort = (): void => end(() => reject(signal?.reason));
			signal?.addEventListener('abort', abort, { once: true });
			this.waits.add(wait);
			this.arm(wait);
		});
	}

	hold(at = this.now()): void {
		this.heldAt = at;
		for (const wait of this.waits) clearTimeout(wait.timer);
	}

	release(): void {
		if (this.heldAt === undefined) return;
		this.offset = this.heldAt - Date.now();
		this.heldAt = undefined;
		for (const wait of this.waits) this.arm(wait);
	}

	/** Moves the clock forward and resolves the waits that fall due, in their order, also those that begin on the way. */
	async advance(ms: number): Promise<void> {
		const target = this.now() + ms;
		const running = !this.held;
		if (running) this.hold();
		for (let next = this.nextDue(target); next; next = this.nextDue(target)) {
			this.heldAt = Math.max(this.now(), next.due);
			next.wake();
			await new Promise((resolve) => setImmediate(resolve));
		}
		this.heldAt = target;
		if (running) this.release();
	}

	/** Wakes everything that waits; used when the service closes. */
	close(): void {
		for (const wait of [...this.waits]) wait.wake();
		// Node hands the storage on with every promise as long as it is open.
		this.request.disable();
	}

	private nextDue(target: number): Wait | undefined {
		let next: Wait | undefined;
		for (const wait of this.waits) {
			if (wait.due <= target && (!next || wait.due < next.due)) next = wait;
		}
		return next;
	}

	private arm(wait: Wait): void {
		if (this.held) return;
		const left = Math.max(0, wait.due - this.now());
		// Timers may fire a millisecond early, and cannot be longer than 2^31 ms.
		const fire = (): void => (this.now() < wait.due ? this.arm(wait) : wait.wake());
		wait.timer = setTimeout(fire, Math.min(left, 2 ** 31 - 1));
		wait.timer.unref();
	}
}

interface Wait {
	due: number;
	wake: () => void;
	request?: object;
	timer?: NodeJS.Timeout;
}

/** Runs `work` with a deadline on the clock; past it, throws what `late` makes, and nothing may be charged any more. */
export async function withTimeout<T>(
	clock: Clock,
	ms: number,
	late: () => Error,
	work: (expired: AbortSignal) => Promise<T>,
): Promise<T> {
	if (ms <= 0) throw late();
	const done = new AbortController();
	const expired = new AbortController();
	const deadline = clock.wait(ms, done.signal).then(
		() => {
			expired.abort(late());
			throw expired.signal.reason;
		},
		() => new Promise<never>(() => undefined),
	);
	try {
		return await Promise.race([work(expired.signal), deadline]);
	} finally {
		done.abort();
	}
}
