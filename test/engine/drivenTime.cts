import http from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Service } from '../mock/service.cjs';

/** Turns of the event loop without any request under way after which nothing but a timer can go on. */
const quietTurns = 10;

/** Turns of the event loop, some seconds of them, after which a request counts as one that nobody ends. */
const longSilence = 1_000_000;

const realTimers = [
	...['hrtime', 'nextTick', 'performance', 'queueMicrotask'],
	...['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'],
] as const;

/** A clock that nobody sets: it goes on as time is driven, and stands still where a test sets the machine's clock. */
class MonotonicClock {
	private elapsed = Math.round(performance.now());
	private last = Date.now();

	readonly now = (): number => {
		const now = Date.now();
		this.elapsed += Math.max(0, now - this.last);
		this.last = now;
		return this.elapsed;
	};

	/** Sets the machine's clock forward. */
	jump(ms: number): void {
		this.now();
		jest.setSystemTime(Date.now() + ms);
		this.last = Date.now();
	}
}

const monotonic = new MonotonicClock();

/** Time of node and service that stands still until nothing but a timer can go on, and then jumps to that timer; sockets stay real. */
export class DrivenTime {
	/** Requests that the process has sent and not seen the end of. */
	private open = new Set<http.ClientRequest>();
	/** Ends the loops of a test that has run out of time. */
	private running = false;
	private making?: jest.SpyInstance;
	private reading?: jest.SpyInstance;
	/** When the test before has ended: time does not go back, since the node's gates outlive a test. */
	private latest = 0;

	/** `isBusy` says that time must stand still though a request seems to be held. */
	constructor(
		private readonly service: () => Service,
		private readonly isBusy = () => false,
	) {}

	start(): void {
		this.open = new Set();
		this.running = true;
		// Counted from its making: a request with a file begins to go out when its first bytes are read.
		const { request } = http;
		this.making = jest
			.spyOn(http, 'request')
			.mockImplementation((...given: unknown[]) => this.count(Reflect.apply(request, http, given)));
		const now = Math.max(Date.now(), this.latest);
		jest.useFakeTimers({ doNotFake: [...realTimers], now });
		// The rate limiter's clock. All else of `performance` stays, which n8n and its packages use.
		this.reading = jest.spyOn(performance, 'now').mockImplementation(monotonic.now);
	}

	stop(): void {
		this.running = false;
		this.making?.mockRestore();
		this.reading?.mockRestore();
		this.latest = Date.now();
		jest.useRealTimers();
	}

	/** Awaits the work, moving time along whenever the work waits for it. */
	async drive<Value>(work: Promise<Value>): Promise<Value> {
		let settled = false;
		const settle = () => {
			settled = true;
		};
		work.then(settle, settle);
		for (let quiet = 0; !settled && this.running; ) {
			await turn();
			// Requests that are held at the service wait for time, too.
			const held = this.service().clock.holding;
			quiet = this.open.size <= held && !this.isBusy() ? quiet + 1 : 0;
			if (quiet >= quietTurns && jest.getTimerCount() > 0) {
				this.advance();
				quiet = 0;
			}
		}
		return await work;
	}

	/** Lets so many milliseconds pass while nothing is asked of the node. */
	async pass(ms: number): Promise<void> {
		await this.drive(new Promise<void>((resolve) => setTimeout(resolve, ms)));
	}

	/** Sets the machine's clock forward, as a correction of it does: no time passes. */
	setForward(ms: number): void {
		monotonic.jump(ms);
	}

	/** Awaits a condition without moving time. */
	async until(condition: () => boolean): Promise<void> {
		while (!condition() && this.running) await turn();
	}

	/** Awaits the end of every request, however it ends. @throws Error that names those which nobody ends */
	async untilSilent(): Promise<void> {
		let turns = 0;
		await this.until(() => this.open.size === 0 || (turns += 1) > longSilence);
		const left = [...this.open].map(({ method, path }) => `${method} ${path}`);
		if (left.length > 0) throw new Error(`Requests that nobody ends: ${left.join(', ')}`);
	}

	/** Awaits that `count` pauses are under way and no request is. */
	async untilPaused(count = 1): Promise<void> {
		await this.until(() => this.open.size === 0 && jest.getTimerCount() >= count);
	}

	/** To the next timer, and by a millisecond at least: Node's shortest, where fake ones take 0. */
	private advance(): void {
		const before = Date.now();
		jest.advanceTimersToNextTimer();
		if (Date.now() === before) jest.advanceTimersByTime(1);
	}

	private count(request: http.ClientRequest): http.ClientRequest {
		const { open } = this;
		open.add(request);
		request.once('close', () => open.delete(request));
		// The clients of older n8n leave the timeout to the socket, whose clock nobody drives.
		request.setTimeout = (ms, onTimeout = () => undefined) => {
			const timer = setTimeout(onTimeout, ms);
			request.once('response', () => clearTimeout(timer));
			request.once('close', () => clearTimeout(timer));
			return request;
		};
		return request;
	}
}

/** Driven time for the tests of a file. */
export function useDrivenTime(service: () => Service, isBusy?: () => boolean): DrivenTime {
	const time = new DrivenTime(service, isBusy);
	beforeEach(() => time.start());
	afterEach(() => time.stop());
	return time;
}
