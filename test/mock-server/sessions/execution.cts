import type { Clock } from '../clock.cjs';
import { pageUrl } from '../schemas/fields.cjs';
import type { ExecuteRequest } from '../schemas/sessions.cjs';
import { withTimeout } from '../withTimeout.cjs';
import type { Session } from './session.cjs';

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

interface Run {
	session: Session;
	clock: Clock;
	stdout: string;
	stderr: string;
	/** Aborted when the run is over: nothing may happen after. */
	signal: AbortSignal;
}

/** Does a statement; with a number as its exit code the run is over. */
type Command = (run: Run, given: string) => Promise<void> | number | void;

const print: Command = (run, text) =>
	void (run.stdout += `${text.replace(/^(['"])(.*)\1$/, '$2')}\n`);
const sleep =
	(unit: number): Command =>
	({ clock, signal }, count) =>
		clock.wait(Number(count) * unit, signal);

function fail(run: Run, error: string): number {
	run.stderr += `${error}\n`;
	return 1;
}

/** The statements that this server knows, each with what it is given. */
const commands: ReadonlyArray<[statement: RegExp, command: Command]> = [
	[/^console\.log\(page\.url\(\)\)$/, (run) => print(run, run.session.url)],
	[/^(?:print|console\.log)\((.*)\)$/, print],
	[/^echo (.*)$/, print],
	[/^sleep (\d+)$/, sleep(1000)],
	[/^await page\.waitForTimeout\((\d+)\)$/, sleep(1)],
	[/^await page\.goto\('(.*)'\)$/, (run, url) => void (run.session.url = pageUrl(url) ?? url)],
	[/^exit (\d+)$/, (_run, status) => Number(status)],
	[/^throw (?:new Error\()?["']?([^"']*)["']?\)?$/, fail],
	[/^[\d\s+]*(?:\/\/.*)?$/, () => undefined],
];

const killedStatus = 137;

/** Runs code in a session, a statement per line. Code that fails, or takes too long, is an outcome, no exception. */
export async function execute(
	clock: Clock,
	session: Session,
	{ code, timeout }: ExecuteRequest,
): Promise<Execution> {
	const stopped = new Error('The execution was stopped: its time was up or its session over');
	const run: Run = { session, clock, stdout: '', stderr: '', signal: session.closed };
	try {
		const late = (): Error => stopped;
		const exitCode = await withTimeout(clock, timeout * 1000, late, (expired) => {
			run.signal = AbortSignal.any([expired, session.closed]);
			return perform(run, code);
		});
		return outcome(run, exitCode, false);
	} catch {
		fail(run, stopped.message);
		return outcome(run, killedStatus, true);
	}
}

async function perform(run: Run, code: string): Promise<number> {
	for (const line of code.split(/[\n;]/)) {
		const statement = line.trim();
		const [form, command] = commands.find(([each]) => each.test(statement)) ?? [];
		if (!form || !command) {
			run.stderr += `bash: ${statement}: command not found\n`;
			continue;
		}
		const exitCode = await command(run, form.exec(statement)?.[1] ?? '');
		if (run.signal.aborted) throw run.signal.reason;
		if (exitCode !== undefined) return exitCode;
	}
	return run.stderr === '' ? 0 : 127;
}

function outcome({ stdout, stderr }: Run, exitCode: number, killed: boolean): Execution {
	const base = { success: exitCode === 0, stdout, result: stdout, stderr, exitCode, killed };
	const error = stderr.trim().split('\n').at(-1) || `Exit code ${exitCode}`;
	return exitCode === 0 ? base : { ...base, error };
}
