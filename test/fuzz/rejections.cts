import http from 'node:http';

type Listener = (reason: unknown) => void;

/** The true process: jest hands tests a copy of it, which hears nothing. Node's own modules are from outside. */
const trueProcess: NodeJS.Process = Reflect.construct(http.createServer.constructor, [
	'return process',
])();

/** Promises that failed and that nobody awaited, during the tests of a file; jest would only fail the test. */
export function useRejections(): unknown[] {
	const reasons: unknown[] = [];
	const note: Listener = (reason) => void reasons.push(reason);
	let before: Listener[] = [];
	beforeEach(() => {
		reasons.length = 0;
		before = trueProcess.listeners('unhandledRejection') as Listener[];
		trueProcess.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
	});
	afterEach(() => {
		trueProcess.off('unhandledRejection', note);
		for (const listener of before) trueProcess.on('unhandledRejection', listener);
		expect(reasons).toEqual([]);
	});
	return reasons;
}
