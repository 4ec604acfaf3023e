import { sleep } from 'n8n-workflow';

/** Somebody who waits for a place. */
interface Waiter {
	enter: () => void;
}

/**
 * Bounds one kind of requests of one credential in this process. Free until the service answers 429; then
 * everybody pauses for the time it named, half as many may be in flight, and one more is let in
 * after each full round of good answers. Who waits is served in the order of coming, a repeated
 * request first.
 */
export class Gate {
	private limit = Infinity;
	private inFlight = 0;
	private pausedUntil = 0;
	private goodAnswers = 0;
	/** Counts the reductions, so that the refusals of one burst reduce once. */
	private reductions = 0;
	private readonly waiting: Waiter[] = [];
	private alarm?: AbortController;

	/** Nobody is inside or waiting, and no refusal is worth remembering any more. */
	get idle(): boolean {
		const calm = this.limit === Infinity || Date.now() > this.pausedUntil + memory;
		return this.inFlight === 0 && this.waiting.length === 0 && calm;
	}

	/**
	 * Runs `work` as soon as a place is free.
	 * @param refusedFor the pause in milliseconds that a refused result asks for; undefined for any other
	 * @throws the signal's reason when it fires while waiting for a place
	 */
	async pass<Result>(
		work: () => Promise<Result>,
		refusedFor: (result: Result) => number | undefined,
		{ first = false, signal }: { first?: boolean; signal?: AbortSignal } = {},
	): Promise<Result> {
		await this.enter(first, signal);
		const reductions = this.reductions;
		try {
			const result = await work();
			const pause = refusedFor(result);
			if (pause === undefined) this.grow();
			else this.reduce(pause, reductions);
			return result;
		} finally {
			this.inFlight -= 1;
			this.admit();
		}
	}

	private async enter(first: boolean, signal?: AbortSignal): Promise<void> {
		signal?.throwIfAborted();
		await new Promise<void>((resolve, reject) => {
			const waiter: Waiter = {
				enter: () => {
					signal?.removeEventListener('abort', leave);
					resolve();
				},
			};
			const leave = () => {
				this.waiting.splice(this.waiting.indexOf(waiter), 1);
				if (this.waiting.length === 0) this.alarm?.abort();
				reject(signal?.reason);
			};
			signal?.addEventListener('abort', leave, { once: true });
			if (first) this.waiting.unshift(waiter);
			else this.waiting.push(waiter);
			this.admit();
		});
	}

	private admit(): void {
		while (this.inFlight < this.limit && Date.now() >= this.pausedUntil) {
			const next = this.waiting.shift();
			if (!next) return;
			this.inFlight += 1;
			next.enter();
		}
		if (this.waiting.length > 0 && Date.now() < this.pausedUntil) this.setAlarm();
	}

	/** One timer for everybody who waits for the pause to end; none is left when nobody waits. */
	private setAlarm(): void {
		if (this.alarm) return;
		const alarm = new AbortController();
		this.alarm = alarm;
		const ring = () => {
			this.alarm = undefined;
			this.admit();
		};
		sleep(this.pausedUntil - Date.now(), alarm.signal).then(ring, ring);
	}

	private reduce(pause: number, reductionsAtStart: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + pause);
		if (this.reductions !== reductionsAtStart) return;
		this.reductions += 1;
		this.goodAnswers = 0;
		this.limit = Math.max(1, Math.floor(this.inFlight / 2));
	}

	private grow(): void {
		if (this.limit === Infinity) return;
		this.goodAnswers += 1;
		if (this.goodAnswers < this.limit) return;
		this.goodAnswers = 0;
		this.limit += 1;
		if (this.limit > forgetAbove) this.limit = Infinity;
	}
}

/** A gate that has grown this wide has forgotten the last refusal. */
const forgetAbove = 50;

/** Milliseconds after the last pause for which an unused gate remembers it. */
const memory = 10 * 60_000;

const gates = new Map<string, Gate>();

/**
 * The gates of a credential, one for each kind of request: the service counts starts, answers and
 * looks apart, so a refused start must not hold up the looks at running jobs (addendum 14). Gates that
 * hold nothing are dropped on the way.
 */
export const gatesOf =
	(credential: string) =>
	(kind: string): Gate => {
		const wanted = `${kind} ${credential}`;
		for (const [key, gate] of gates) if (gate.idle && key !== wanted) gates.delete(key);
		const gate = gates.get(wanted) ?? new Gate();
		gates.set(wanted, gate);
		return gate;
	};
