import { inspect } from 'node:util';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { stringify } from 'flatted';
import type { LogEntry } from '../mock/requestLog.cjs';
import { canaries } from './fuzzRun.cjs';
import type { Findings } from './findings.cjs';

/** Pieces of the canaries that are long enough to be nothing else: a secret that was cut is found, too. */
const pieces = Object.values(canaries).map((secret) => secret.slice(-16));

const forms = pieces.flatMap((piece) => [
	piece,
	Buffer.from(piece).toString('hex'),
	// Base64 has three forms of a text, by where it begins; the ends depend on what stands beside it.
	...[0, 1, 2].map((shift) =>
		Buffer.from(' '.repeat(shift) + piece)
			.toString('base64')
			.slice(4, -4),
	),
]);

const holdsSecret = (text: string): boolean => forms.some((form) => text.includes(form));

/** Whether a secret is in a text, such as what another process has written. */
export const textFindings = (what: string, text: string): Findings =>
	holdsSecret(text) ? [`a secret is in ${what}`] : [];

/** Everything of a value that can be seen, also what JSON leaves out: messages, stacks, causes. */
const everythingIn = (value: unknown): string =>
	inspect(value, {
		depth: Infinity,
		showHidden: true,
		maxStringLength: null,
		maxArrayLength: null,
		breakLength: Infinity,
	});

/** A value as n8n stores an execution; errors without a form of their own have none there either. */
function stored(value: unknown): string {
	try {
		return stringify(value);
	} catch {
		return '';
	}
}

/** Whether a secret is anywhere in what comes out of a run: as it is in memory, and as n8n stores it. */
export function secretFindings(what: string, value: unknown): Findings {
	const texts = [everythingIn(value), stored(value)];
	return texts.some(holdsSecret) ? [`a secret is in ${what}`] : [];
}

/** Whether a secret is in an address that was asked for, or in a header other than the one for it. */
export const addressFindings = (entries: LogEntry[]): Findings =>
	entries
		.filter(({ path, query, headers: { authorization, ...headers } }) =>
			holdsSecret(JSON.stringify([path, query, headers])),
		)
		.map(({ method, path }) => `a secret is in the address or headers of ${method} ${path}`);

/** A request that reached a host other than the service's. */
interface ForeignRequest {
	method: string;
	path: string;
}

/** Whether a secret is anywhere in what another host was sent, its Authorization header included. */
export const foreignFindings = (requests: ForeignRequest[]): Findings =>
	requests
		.filter((request) => holdsSecret(everythingIn(request)))
		.map(({ method, path }) => `a secret went to another host: ${method} ${path}`);

const levels = ['debug', 'error', 'info', 'warn'] as const;
const outputs = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

/** What is written by n8n's logger, at every level, and to the console. */
class WrittenLines {
	private readonly lines: string[] = [];

	start(): void {
		// n8n's own places to log to reach it only once there is one.
		Container.get(Logger);
		for (const level of levels) {
			jest
				.spyOn(Logger.prototype, level)
				.mockImplementation((...line: unknown[]) => void this.lines.push(everythingIn(line)));
		}
		for (const output of outputs) {
			const write = console[output];
			jest.spyOn(console, output).mockImplementation((...line: unknown[]) => {
				this.lines.push(everythingIn(line));
				Reflect.apply(write, console, line);
			});
		}
	}

	/** Whether a secret is in a line; those read are forgotten. */
	findings(): Findings {
		const read = this.lines.splice(0);
		return read.filter(holdsSecret).map((line) => `a secret is in a line of the log: ${line}`);
	}
}

/** The lines written during the tests of a file, looked at when each ends. The spies end with `jest.restoreAllMocks`. */
export function useWrittenLines(): WrittenLines {
	const written = new WrittenLines();
	beforeEach(() => written.start());
	afterEach(() => {
		const found = written.findings();
		jest.restoreAllMocks();
		expect(found).toEqual([]);
	});
	return written;
}
