import type { Settings } from '../../../../../nodes/runtime/form/options';
import type { IDataObject } from 'n8n-workflow';
import { agentRun, finishRun, runResults } from '../../../../../nodes/WebData/resources/agent/job';
import { errorSource } from '../../../schemaAssertions.cjs';
import { recordedCall } from '../../../calls.cjs';

const job = { id: 'job-7', noun: 'agent run' };
const call = () => ({ ...recordedCall(), errorSource: errorSource({ job }) });
const about = { status: 'completed', creditsUsed: 12, model: 'spark-2' };
const answer = (data?: unknown, more: IDataObject = {}): IDataObject => ({
	success: true,
	id: 'job-7',
	...about,
	...(data !== undefined && { data: data as IDataObject }),
	...more,
});
const request = { ...about };

describe('the results of a run', () => {
	const results = (data: unknown, output: Settings['output']) =>
		runResults(answer(data), output).map(({ json }) => json);

	it('are one item with its data, and what is known about the run', () => {
		expect(results({ founders: ['A', 'B'] }, 'result')).toEqual([
			{ founders: ['A', 'B'], jobId: 'job-7', request },
		]);
		expect(results(['A', 'B'], 'result')).toEqual([{ value: ['A', 'B'], jobId: 'job-7', request }]);
		expect(results('words', 'result')).toEqual([{ value: 'words', jobId: 'job-7', request }]);
	});

	it.each<[string, unknown]>([
		['a list', [{ name: 'A' }, 'B']],
		['the only list inside', { list: [{ name: 'A' }, 'B'] }],
	])('are an item for each entry of %s', (_, data) => {
		expect(results(data, 'entries')).toEqual([
			{ name: 'A', jobId: 'job-7', request },
			{ value: 'B', jobId: 'job-7', request },
		]);
	});

	it('lose nothing that stands beside the list', () => {
		expect(results({ list: ['A'], count: 0, about: { x: 1 } }, 'entries')).toEqual([
			{ value: 'A', jobId: 'job-7', request: { ...request, data: { count: 0, about: { x: 1 } } } },
		]);
	});

	it('are none for an empty list', () => {
		expect(results([], 'entries')).toEqual([]);
	});

	it.each<[string, unknown]>([
		['two lists', { a: [1], b: [2] }],
		['none', { a: { b: [1] } }],
	])('are one item where there is no one list to split: %s', (_, data) => {
		expect(results(data, 'entries')).toEqual([{ ...(data as object), jobId: 'job-7', request }]);
	});

	it('keep a member of the data that has the name of a label', () => {
		expect(results({ request: 'quote', jobId: 'other', a: 1 }, 'result')).toEqual([
			{ a: 1, jobId: 'job-7', request, original: { request: 'quote', jobId: 'other' } },
		]);
	});

	it('are the whole answer when the user wants that', () => {
		expect(runResults(answer([1]), 'response')).toEqual([{ json: answer([1]) }]);
	});

	it('of a chat without data are what it says', () => {
		const chat = answer(null, { message: 'Hello', suggestions: [] });
		const said = { ...request, message: 'Hello', suggestions: [] };
		expect(runResults(chat, 'result')).toEqual([{ json: { jobId: 'job-7', request: said } }]);
	});
});

describe('the end of a run', () => {
	it('that completed are its results', async () => {
		const given = call();
		const ended = answer({ a: 1 });
		const [{ json }] = await finishRun(ended, 'result', given);
		expect(json).toMatchObject({ a: 1, jobId: 'job-7' });
		expect(given.notices).toEqual([]);
	});

	it.each<[IDataObject, RegExp, RegExp]>([
		[
			{ status: 'failed', error: 'Reached the credit limit', creditsUsed: 0 },
			/^Reached the credit limit \(agent run job-7\) \[item 0\]$/,
			/'Max Credits'.*It used 0 credits\./,
		],
		[{ status: 'failed', error: 'It was cancelled' }, /^It was cancelled/, /Start it again/],
		[{ status: 'cancelled' }, /ended as cancelled/, /Start it again/],
		[{ status: 'canceled', error: 'Gone' }, /^Gone/, /Start it again/],
		[{ status: 'failed', error: 'Task refused' }, /^Task refused/, /Rephrase the prompt/],
		[{ status: 'failed', error: 'Boom' }, /^Boom/, /'Get Trace'/],
		[{ status: 'failed' }, /The agent run ended as failed/, /'Get Trace'/],
		[{ status: 'of tomorrow', data: null }, /ended as of tomorrow/, /'Get Trace'/],
		[
			{ status: 'failed', error: { code: 'internal', message: 'The browser crashed' } },
			/^The browser crashed \(internal\) \(agent run/,
			/'Get Trace'/,
		],
		[
			{ status: 'failed', error: 'Stopped', stopReason: 'credit_limit_reached', threadId: 't-1' },
			/^Stopped/,
			/^Narrow the prompt\. .*again with the 'Thread ID' t-1\. A higher 'Max Credits'/,
		],
		[{ status: 'failed', error: 'No', message: 'I was close' }, /^No/, /Its message: I was close/],
		[{ status: 'failed', error: 'No', partial: {} }, /^No/, /'Get Trace'/],
		[{ status: 'failed', error: 'No', partial: [], data: '' }, /^No/, /'Get Trace'/],
	])('is an error: %j', async (state, message, advice) => {
		const end = finishRun({ success: true, id: 'job-7', ...state }, 'result', call());
		await expect(end).rejects.toMatchObject({
			message: expect.stringMatching(message),
			description: expect.stringMatching(advice),
		});
	});

	const state: IDataObject = {
		status: 'failed',
		error: 'Reached the credit limit',
		stopReason: 'credit_limit_reached',
		partialSchemaValid: false,
		threadId: 't-1',
		creditsUsed: 0,
	};
	const capped: IDataObject = { success: true, id: 'job-7', ...state };
	const notice = `The result of the agent run job-7 is partial: Reached the credit limit. Narrow the prompt. To continue from its result, run the agent again with the 'Thread ID' t-1. A higher 'Max Credits' allows more.`;
	const about = { ...state, isPartial: true, notice };

	it.each(['partial', 'data'])('with what it has found under %s is that, marked', async (where) => {
		const given = call();

		const results = await finishRun({ ...capped, [where]: { a: 1 } }, 'result', given);

		expect(results).toEqual([{ json: { a: 1, jobId: 'job-7', request: about } }]);
		expect(given.notices).toEqual([notice]);
	});

	it('with a list of what it has found is an item for each entry, or one when it has none', async () => {
		const of = async (partial: IDataObject) => {
			const results = await finishRun({ ...capped, partial }, 'entries', call());
			return results.map(({ json }) => json);
		};

		expect(await of({ list: ['A', 'B'] })).toMatchObject([
			{ value: 'A', request: { isPartial: true } },
			{ value: 'B', request: { isPartial: true } },
		]);
		expect(await of({ list: [] })).toEqual([{ list: [], jobId: 'job-7', request: about }]);
	});

	it('with what it has found is the whole answer when the user wants that, marked', async () => {
		const answered = { ...capped, partial: { a: 1 } };

		expect(await finishRun(answered, 'response', call())).toEqual([
			{ json: { ...answered, isPartial: true, notice } },
		]);
	});

	it('keeps both when it has data and something else under partial', async () => {
		const both = { ...capped, data: { a: 1 }, partial: { b: 2 } };

		const [{ json }] = await finishRun(both, 'result', call());

		expect(json).toMatchObject({ a: 1, request: { partial: { b: 2 } } });
	});

	it('with what it has found is that also where nothing but the words tells why', async () => {
		const { stopReason: _, threadId: __, ...older } = capped;
		const given = call();

		const results = await finishRun({ ...older, partial: ['A'] }, 'result', given);

		expect(results).toMatchObject([{ json: { value: ['A'] } }]);
		expect(given.notices).toEqual([
			`The result of the agent run job-7 is partial: Reached the credit limit. Narrow the prompt. A higher 'Max Credits' allows more.`,
		]);
	});

	it.each<[IDataObject, string]>([
		[{ partial: true, stopReason: 'credit_limit_reached' }, 'credit_limit_reached'],
		[{ stopReason: 'credit_limit_reached' }, 'credit_limit_reached'],
		[{ partial: true }, 'stopped early'],
	])('that completed with %j is not passed off as whole', async (state, reason) => {
		const given = call();
		const results = await finishRun(answer({ a: 1 }, state), 'result', given);
		expect(results).toMatchObject([{ json: { a: 1, request: { isPartial: true } } }]);
		expect(given.notices).toEqual([expect.stringMatching(`partial.*${reason}`)]);
	});

	it('that completed with nothing partial in it is whole', async () => {
		const given = call();
		await finishRun(answer({ a: 1 }, { partial: false, stopReason: null }), 'result', given);
		expect(given.notices).toEqual([]);
	});

	it('shows the terms that a person must accept, each once', async () => {
		const given = call();
		const url = 'https://terms.example/1';
		const providers = [{ url }, { url: 'https://terms.example/2' }];
		const asked = {
			pendingApproval: { terms: [{ url }, { name: 'no address' }] },
			exchange: { requiresAction: { providers } },
		};
		await finishRun(answer({ a: 1 }, asked), 'result', given);
		expect(given.notices).toEqual([
			expect.stringContaining(`${url}.`),
			expect.stringContaining('https://terms.example/2'),
		]);
	});
});

describe('a run as a job', () => {
	it('that was only started has the shape of one that has finished', () => {
		const started = { success: true, id: 'job-7', threadId: 't' };
		const item = { jobId: 'job-7', request: { threadId: 't' } };
		expect(agentRun.started(started, { output: 'result' })).toEqual({ json: item });
		expect(agentRun.started(started, { output: 'response' })).toEqual({ json: started });
	});
});
