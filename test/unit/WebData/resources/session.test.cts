import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { serviceError } from '../../../../nodes/runtime/http/serviceError';
import type { Operation } from '../../../../nodes/runtime/execution/operation';
import { settle } from '../../../../nodes/runtime/values/outcome';
import { session } from '../../../../nodes/WebData/resources/session';
import { operationOf, recordedCall, requestOf } from '../../calls.cjs';
import { errorSource } from '../../schemaAssertions.cjs';

const jobId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

const [execute, interact] = ['execute', 'interact'].map((name) => operationOf(session, name));

type Parameters = Record<string, unknown>;

/** Runs an operation against one answer: its outcome, what it sent, and what it sends at the execution's end. */
async function perform(operation: Operation, parameters: Parameters, answer: IDataObject | Error) {
	const call = recordedCall(answer);
	const outcome = await settle(operation.run(requestOf(operation, parameters), call));
	return { ...outcome, call, atEnd: call.atEnd };
}

const failed = { attemptCount: 1, elapsed: 0, retrySafety: 'free' } as const;

/** The service's refusal as the runtime throws it. */
const refused = (status: number, error: string) =>
	serviceError(
		{ response: { status, headers: {}, body: { success: false, error } } },
		failed,
		errorSource(),
	);

function errorOf(outcome: object): NodeApiError | NodeOperationError {
	const error: unknown = Reflect.get(outcome, 'error');
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	throw new Error(`no error: ${JSON.stringify(outcome)}`);
}

describe('code in a session', () => {
	const parameters = { sessionId: ' s1 ', code: ' print(1)\n', language: 'python' };
	const good = { success: true, stdout: '1\n', result: '1\n', stderr: '', exitCode: 0 };

	it('names its language even when the user did not', () => {
		expect(requestOf(execute, { sessionId: 's1', code: 'x' })).toMatchObject({ language: 'node' });
	});

	it('keeps the end of a long text in the error', async () => {
		const stdout = `begin${'x'.repeat(5_000)}end`;
		const bad = { success: false, stdout, stderr: 'NameError: x', exitCode: 1, killed: false };
		const { description } = errorOf(await perform(execute, parameters, bad));
		expect(description).toMatch(/stdout:\n… x{3997}end$/);
	});

	it.each(['error', 'item'])('never has a top-level error in its item: %s', async (onFailed) => {
		const body = { success: true, stdout: '1', error: 'ignored' };
		const outcome = await perform(
			execute,
			{ ...parameters, additionalFields: { onFailedCode: onFailed } },
			body,
		);
		const json = { success: true, stdout: '1', codeError: 'ignored', sessionId: 's1' };
		expect(outcome).toMatchObject({ ok: true, value: [{ json }] });
	});

	it.each([
		[200, { success: false, exitCode: 1 }, true],
		[200, { success: false, stdout: '' }, true],
		[200, { success: false, output: 'I could not' }, true],
		[200, { success: false, error: 'x' }, false],
		[502, { success: false, exitCode: 1 }, false],
		[200, 'stdout', false],
	])('an answer %d %j reports a run: %p', async (status, body, reports) => {
		const { call } = await perform(execute, parameters, good);
		expect(call.sent[0].accepts?.({ status, headers: {}, body })).toBe(reports);
	});
});

describe('a session that has ended', () => {
	it.each<[number, string, boolean]>([
		[403, 'Session expired', true],
		[410, 'Gone', true],
		[403, 'Forbidden', false],
		[404, 'Job not found.', false],
		[409, 'Replay context is unavailable for this scrape job.', false],
		[500, 'Not found in cache', false],
	])('is told by %d %s: %p', async (status, words, isEnded) => {
		const given = refused(status, words);
		const parameters = { jobId, taskType: 'prompt', prompt: 'x' };
		const { message, description } = errorOf(await perform(interact, parameters, given));
		expect(message.startsWith('The browser session is no longer open: ')).toBe(isEnded);
		expect(message).toContain(words.replace(/\.$/, ''));
		if (!isEnded) expect(description).toBe(given.description);
	});
});

describe('a scraped page', () => {
	it.each<[Parameters, object]>([
		[{ taskType: 'prompt', prompt: 'When?', code: 'x', language: 'bash' }, { prompt: 'When?' }],
		[
			{ taskType: 'code', code: 'x', prompt: 'When?' },
			{ code: 'x', language: 'node' },
		],
	])('is worked on by its task alone: %j', async (parameters, body) => {
		const { call } = await perform(interact, { jobId, ...parameters }, { success: true });
		expect(call.sent).toMatchObject([{ body }]);
		expect(Object.keys(Object(call.sent[0].body))).toEqual(Object.keys(body));
	});
});
