/** How jobs go where the API's documentation leaves it open: all of them, and the next ones in their order. */
export class Script<T extends object> {
	private common: T;
	private next: T[] = [];

	/** `initial`: how all jobs go from the start. */
	constructor(private readonly initial: T) {
		this.common = initial;
	}

	set(change: Partial<T>): void {
		this.common = { ...this.common, ...change };
	}

	/** Adds jobs to come, after those added before. */
	add(...jobs: Array<Partial<T>>): void {
		this.next.push(...jobs.map((job) => ({ ...this.common, ...job })));
	}

	take(): T {
		return this.next.shift() ?? this.common;
	}

	clear(): void {
		this.common = this.initial;
		this.next = [];
	}
}
