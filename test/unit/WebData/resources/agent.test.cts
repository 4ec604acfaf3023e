import type { IDataObject } from 'n8n-workflow';
import { operationNamed, perform, recordedCall, requestOf } from '../../calls.cjs';
import { errorSource } from '../../schemaAssertions.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

describe('the request of a run', () => {
	const also = (additionalFields: object) => ({ additionalFields });
	const only = { strictConstrainToURLs: true };
	const whole = {
		urls: ['https://a.example'],
		webhook: { url: 'https://b.example/hook', events: ['completed'] },
		exchange: { enabled: false },
		model: 'spark-2',
	};
	const schema = { type: 'object', properties: { price: { type: 'number' } } };
	const blank = { schemaType: 'schema', schema: '{}', schemaExample: '{}' };
	const example = { schemaType: 'example', schemaExample: '{"price": 1}' };
	const another = { schemaType: 'example', schemaExample: '{"name": "x"}' };

	it.each<[Record<string, unknown>, object]>([
		[also({ ...only, urls: ['https://a.example'] }), { ...only, urls: ['https://a.example'] }],
		[also({ ...only, threadId: id.toUpperCase() }), { ...only, threadId: id }],
		[also({ requestJson: whole }), whole],
		[blank, {}],
		[{ schema: JSON.stringify(schema) }, { schema }],
		[example, { schema }],
		[{ ...another, ...also({ requestJson: { schema } }) }, { schema }],
		[{ schema: { required: ['name'] }, ...also({ requestJson: { schema } }) }, { schema }],
	])('for %j has %j', (parameters, fields) => {
		const request = requestOf(operationNamed('agent: start'), { prompt: 'Find', ...parameters });
		expect(request).toEqual({ prompt: 'Find', ...fields });
	});
});

/** The end of a run as the runtime passes it on: its items, or its error, and its notices. */
function ended(response: IDataObject) {
	const about = errorSource({ job: { id: 'job-7', noun: 'agent run' } });
	const call = { ...recordedCall(), errorSource: about };
	const { job } = operationNamed('agent: run');
	if (!job) throw new Error('no job');
	const results = job.finish({ success: true, id: 'job-7', ...response }, call);
	return { results, notices: call.notices };
}

const items = async (response: IDataObject) =>
	(await ended(response).results).map(({ json }) => json);

describe('a completed run', () => {
	const request = { status: 'completed' };
	const labels = { jobId: 'job-7', creditsUsed: 12, request };
	const completed = (data: unknown): IDataObject => ({
		...request,
		creditsUsed: 12,
		data: data as IDataObject,
	});

	it.each<[unknown, ...IDataObject[]]>([
		[{ founders: ['A', 'B'] }, { founders: ['A', 'B'] }],
		['words', { value: 'words' }],
		[[{ name: 'A' }, 'B'], { name: 'A' }, { value: 'B' }],
		[{ items: [{ name: 'A' }] }, { name: 'A' }],
		[
			{ items: ['A'], count: 1 },
			{ items: ['A'], count: 1 },
		],
		[
			{ jobId: 'other', a: 1 },
			{ a: 1, original: { jobId: 'other' } },
		],
	])('with %j is an item, or one for each entry of its list', async (data, ...expected) => {
		expect(await items(completed(data))).toEqual(
			expected.map((json, index) => ({ ...json, ...(index === 0 ? labels : { jobId: 'job-7' }) })),
		);
		expect(ended(completed(data)).notices).toEqual([]);
	});

	it.each<[unknown, IDataObject]>([
		[null, {}],
		[{}, {}],
		[[], { value: [] }],
		[{ items: [] }, { items: [] }],
		[
			{ name: '', list: [] },
			{ name: '', list: [] },
		],
	])('without a result (%j) is an item and a notice of its cost', async (data, json) => {
		const { results, notices } = ended(completed(data));
		expect(await results).toEqual([{ json: { ...json, ...labels } }]);
		const notice = 'The agent run job-7 completed without a result. It used 12 credits.';
		expect(notices).toEqual([notice]);
	});

	it('of a chat is its message, of any length', async () => {
		const message = 'Tides rise and fall. '.repeat(100);
		const { results, notices } = ended({ ...completed(null), message });
		expect(await results).toEqual([{ json: { ...labels, request: { ...request, message } } }]);
		expect(notices).toEqual([]);
	});

	it('with a list has all about it in the first item', async () => {
		const suggestions = ['Ask again. '.repeat(100)];
		const made = await items({ ...completed(['A', 'B']), suggestions, agent_hints: ['Hint'] });
		expect(made.map((json) => json.request)).toEqual([{ ...request, suggestions }, undefined]);
	});

	it('shows the terms that a person must accept, each once', async () => {
		const [one, other] = [1, 2].map((each) => ({ url: `https://terms.example/${each}` }));
		const { results, notices } = ended({
			...completed({ a: 1 }),
			pendingApproval: { terms: [one, { name: 'no URL' }] },
			exchange: { requiresAction: { providers: [one, other] } },
		});
		await results;
		expect(notices).toEqual([expect.stringContaining('/1.'), expect.stringContaining('/2.')]);
	});

	it.each<[IDataObject, string]>([
		[{ partial: true, stopReason: 'credit_limit_reached' }, 'credit_limit_reached'],
		[{ partial: true }, 'stopped early'],
	])('with %j is marked as partial', async (state, reason) => {
		const { results, notices } = ended({ ...completed({ a: 1 }), ...state });
		expect(await results).toMatchObject([{ json: { a: 1, request: { isPartial: true } } }]);
		expect(notices).toEqual([expect.stringMatching(`partial.*${reason}`)]);
	});
});

describe('a failed run', () => {
	const crashed = { code: 'internal', message: 'The browser crashed' };
	const limited = { error: 'Stopped', stopReason: 'credit_limit_reached', threadId: 't-1' };

	it.each<[IDataObject, RegExp, RegExp]>([
		[{ error: 'It hung' }, /^It hung \(agent run job-7\)$/, /^Use 'Get Trace' to see/],
		[{ error: 'Cancel subscription … not found' }, /^Cancel/, /^Use 'Get Trace'/],
		[{ status: 'cancelled' }, /ended as cancelled/, /Start it again/],
		[{ status: 'canceled', error: 'Gone' }, /^Gone/, /Start it again/],
		[{ status: 'of tomorrow', data: null }, /ended as of tomorrow/, /'Get Trace'/],
		[{ error: crashed }, /^The browser crashed \(internal\) \(agent run/, /'Get Trace'/],
		[limited, /^Stopped/, /^Narrow the prompt\. .*again with the 'Thread ID' t-1\. A higher 'Max/],
		[{ error: 'No', message: 'I was close' }, /^No/, /'Get Trace'.*\nIts message: I was close$/],
		[{ error: 'No', partial: [], data: '' }, /^No/, /'Get Trace'/],
	])('is an error: %j', async (state, message, advice) => {
		await expect(ended({ status: 'failed', ...state }).results).rejects.toMatchObject({
			message: expect.stringMatching(message),
			description: expect.stringMatching(advice),
		});
	});

	it.each(['partial', 'data'])('with findings under %s is those, marked', async (where) => {
		const state = { status: 'failed', ...limited };
		const { results, notices } = ended({ ...state, creditsUsed: 0, [where]: { a: 1 } });
		const notice = `The result of the agent run job-7 is partial: Stopped. Narrow the prompt. To continue from its result, run the agent again with the 'Thread ID' t-1. A higher 'Max Credits per Execution' allows more.`;
		expect(notices).toEqual([notice]);
		const request = { ...state, isPartial: true, notice };
		expect(await results).toEqual([{ json: { a: 1, jobId: 'job-7', creditsUsed: 0, request } }]);
	});

	it('with a list of findings is an item for each entry, or one without entries', async () => {
		const found = async (partial: IDataObject) => await items({ status: 'failed', partial });
		const marked = { request: { isPartial: true } };
		expect(await found({ items: ['A', 'B'] })).toMatchObject([
			{ value: 'A', ...marked },
			{ value: 'B' },
		]);
		expect(await found({ items: [] })).toMatchObject([{ items: [], ...marked }]);
	});
});

it('a trace has its events by time, then by sequence, and those without a time last', async () => {
	const noon = '2026-11-21T12:00:00Z';
	const events: IDataObject[] = [
		{ eventId: 'undated', error: 'x' },
		{ eventId: 'late', occurredAt: '2026-11-21T12:00:00.250Z' },
		{ eventId: 'second', occurredAt: noon, producerSequence: 2 },
		{ eventId: 'first', occurredAt: noon, producerSequence: 1 },
	];
	const body = { success: true, id, events, creditsUsed: 3 };
	const { results } = await perform(operationNamed('agent: getTrace'), { jobId: id }, body);
	expect(results.map(({ json }) => json.eventId)).toEqual(['first', 'second', 'late', 'undated']);
	// An item with a top-level error has failed for n8n.
	expect(results[3].json).toMatchObject({ eventError: 'x' });
	expect(results[3].json).not.toHaveProperty('error');
});

it.each<[unknown, unknown]>([
	['{"a": [1]}', { a: [1] }],
	['{"a": ', '{"a": '],
	[{ a: 1 }, { a: 1 }],
])('a snapshot of %j is %j', async (snapshot, content) => {
	const parameters = { jobId: id, snapshotId: id };
	const body = { success: true, snapshot } as IDataObject;
	const { results } = await perform(operationNamed('agent: getSnapshot'), parameters, body);
	expect(results).toEqual([{ json: { jobId: id, snapshotId: id, snapshot: content } }]);
});
