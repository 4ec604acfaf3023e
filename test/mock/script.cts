/** How jobs go where the API's documentation leaves it open: all of them, and the next ones in their order. */
export class Script<T extends object> {
	private common: T;
	private next: Array<T & { count: number }> = [];

	/** `initial`: how all jobs go from the start. */
	constructor(private readonly initial: T) {
		this.common = initial;
	}

	set(change: Partial<T>): void {
		this.common = { ...this.common, ...change };
	}

	/** Adds jobs to come, each `count` times, after those added before. */
	add(...jobs: Array<Partial<T> & { count?: number }>): void {
		this.next.push(...jobs.map((job) => ({ ...this.common, count: 1, ...job })));
	}

	take(): T {
		const [found] = this.next;
		if (!found) return this.common;
		found.count -= 1;
		if (found.count === 0) this.next.shift();
		return found;
	}

	clear(): void {
		this.common = this.initial;
		this.next = [];
	}
}
