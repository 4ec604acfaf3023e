import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Service } from '../../service/service.cjs';

/** Turns of the event loop without any request under way after which nothing but a timer can go on. */
const quietTurns = 10;

const realTimers = [
	'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate',
	'setInterval', 'clearInterval',
] as const;

const requestStarted = 'http.client.request.start';

/**
 * Time that stands still until nothing but a timer can go on, and then jumps to that timer. The node
 * and the service share it; sockets stay real.
 */
export class DrivenTime {
	/** Requests that the process has sent and not seen the end of. */
	open = 0;
	/** The most of them at once. */
	peak = 0;

	constructor(private readonly service: () => Service) {}

	start(): void {
		this.open = this.peak = 0;
		subscribe(requestStarted, this.count);
		jest.useFakeTimers({ doNotFake: [...realTimers] });
	}

	stop(): void {
		unsubscribe(requestStarted, this.count);
		jest.useRealTimers();
	}

	/** Awaits the work, moving time along whenever the work waits for it. */
	async drive<Value>(work: Promise<Value>): Promise<Value> {
		let settled = false;
		const settle = () => {
			settled = true;
		};
		work.then(settle, settle);
		for (let quiet = 0; !settled; ) {
			await turn();
			// Requests that an injected delay holds at the service wait for time, too.
			quiet = this.open <= this.service().clock.waiting ? quiet + 1 : 0;
			if (quiet >= quietTurns && jest.getTimerCount() > 0) {
				jest.advanceTimersToNextTimer();
				quiet = 0;
			}
		}
		return await work;
	}

	/** Awaits a condition without moving time. */
	async until(condition: () => boolean): Promise<void> {
		while (!condition()) await turn();
	}

	/** Awaits that `count` pauses are under way and no request is. */
	async untilPaused(count = 1): Promise<void> {
		await this.until(() => this.open === 0 && jest.getTimerCount() >= count);
	}

	private readonly count = (message: unknown): void => {
		const { request } = message as { request: ClientRequest };
		this.open += 1;
		this.peak = Math.max(this.peak, this.open);
		request.once('close', () => {
			this.open -= 1;
		});
	};
}

/** Driven time for the tests of a file. */
export function useDrivenTime(service: () => Service): DrivenTime {
	const time = new DrivenTime(service);
	beforeEach(() => time.start());
	afterEach(() => time.stop());
	return time;
}
