import type { Clock } from '../clock.cjs';
import type { Browser } from './browser.cjs';

/** What code writes while it runs. */
export class Output {
	stdout = '';
	stderr = '';
	/** The failure that ended the run. */
	error: string | undefined;

	print(line: string): void {
		this.stdout += `${line}\n`;
	}

	warn(line: string): void {
		this.stderr += `${line}\n`;
	}

	/** Says on stderr what ended the run. */
	fail(error: string, detail = error): void {
		this.error = error;
		this.warn(detail);
	}
}

/** Thrown when code is stopped by force: its time is up, or its session over. */
export class Stopped extends Error {
	constructor() {
		super('The execution was stopped: its time was up or its session over');
		this.name = 'Stopped';
	}
}

/** What code runs in. */
export interface Surroundings {
	browser: Browser;
	clock: Clock;
	output: Output;
	/** Aborted when the run is over, by its timeout or the session's end: nothing may happen after. */
	signal: AbortSignal;
}

/** Runs code of one language and resolves to its exit code. */
export type Interpreter = (code: string, surroundings: Surroundings) => Promise<number>;
