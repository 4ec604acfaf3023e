import type { Clock } from '../clock.cjs';
import type { ExecuteRequest } from '../schemas/sessions.cjs';
import { withTimeout } from '../withTimeout.cjs';
import type { Browser } from './browser.cjs';
import { runNode } from './nodeCode.cjs';
import { Output, Stopped, type Interpreter } from './output.cjs';
import { runBash, runPython } from './shellCode.cjs';

/** What a run of code leaves behind; `result` is the same as `stdout`. */
export interface Execution {
	success: boolean;
	stdout: string;
	result: string;
	stderr: string;
	exitCode: number;
	/** Whether the timeout, or the end of the session, stopped it. */
	killed: boolean;
	error?: string;
}

const interpreters: Record<ExecuteRequest['language'], Interpreter> = {
	node: runNode,
	python: runPython,
	bash: runBash,
};

const killedStatus = 137;

/** Runs code in a session's browser. Code that fails, or takes too long, is an outcome, no exception. */
export async function execute(
	clock: Clock,
	browser: Browser,
	{ code, language, timeout }: ExecuteRequest,
): Promise<Execution> {
	const output = new Output();
	const closed = new Promise<never>((_, reject) => {
		browser.closed.addEventListener('abort', () => reject(new Stopped()), { once: true });
	});
	const work = withTimeout(
		clock,
		timeout * 1000,
		() => new Stopped(),
		(expired) =>
			interpreters[language](code, {
				browser,
				clock,
				output,
				signal: AbortSignal.any([expired, browser.closed]),
			}),
	);
	try {
		return outcome(output, await Promise.race([work, closed]), false);
	} catch (error) {
		if (!(error instanceof Stopped)) throw error;
		output.fail(error.message);
		return outcome(output, killedStatus, true);
	}
}

function outcome({ stdout, stderr, error }: Output, exitCode: number, killed: boolean): Execution {
	const success = exitCode === 0;
	const base = { success, stdout, result: stdout, stderr, exitCode, killed };
	return success ? base : { ...base, error: error ?? `Exit code ${exitCode}` };
}
