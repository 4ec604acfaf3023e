import type { IDataObject } from 'n8n-workflow';
import { agent } from '../../../../nodes/WebData/resources/agent';
import { operationOf, perform, recordedCall, settingsFor } from '../../calls.cjs';
import { accepted, errorSource } from '../../schemaAssertions.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const start = operationOf(agent, 'start');
const prompt = 'Find the founders';

describe('the request of a run', () => {
	const sent = (parameters: Record<string, unknown>) =>
		accepted(start.schema, start.read({ prompt, ...parameters }));

	it.each<[Record<string, unknown>, Record<string, unknown>?]>([
		[{ strictConstrainToURLs: true, urls: ['https://a.example'] }],
		[
			{ strictConstrainToURLs: true, threadId: id.toUpperCase() },
			{ strictConstrainToURLs: true, threadId: id },
		],
		[
			{ requestJson: { exchange: { enabled: false }, model: 'spark-2' } },
			{ exchange: { enabled: false }, model: 'spark-2' },
		],
	])('has %j', (additionalFields, fields = additionalFields) => {
		expect(sent({ additionalFields })).toEqual({ prompt, ...fields });
	});

	it('has the schema, or that of an example', () => {
		const blank = { schemaType: 'schema', schema: '{}', schemaExample: '{}' };
		expect(sent(blank)).toEqual({ prompt });
		expect(sent({ schema: '{"type": "object"}' })).toEqual({ prompt, schema: { type: 'object' } });
		const { schema } = sent({ schemaType: 'example', schemaExample: '{"a": [1]}' }) as IDataObject;
		expect(schema).toMatchObject({ type: 'object', properties: { a: { type: 'array' } } });
	});
});

/** The end of a run as the runtime passes it on: its items, or its error, and its notices. */
function ended(response: IDataObject) {
	const call = {
		...recordedCall(),
		errorSource: errorSource({ job: { id: 'job-7', noun: 'agent run' } }),
		settings: settingsFor({}),
	};
	const { job } = operationOf(agent, 'run');
	if (!job) throw new Error('no job');
	const results = job.finish({ success: true, id: 'job-7', ...response }, call);
	return { results, notices: call.notices };
}

const items = async (response: IDataObject) =>
	(await ended(response).results).map(({ json }) => json);

describe('a completed run', () => {
	const request = { status: 'completed', creditsUsed: 12 };
	const labels = { jobId: 'job-7', request };
	const completed = (data: unknown): IDataObject => ({ ...request, data: data as IDataObject });

	it.each<[unknown, IDataObject[]]>([
		[{ founders: ['A', 'B'] }, [{ founders: ['A', 'B'], ...labels }]],
		['words', [{ value: 'words', ...labels }]],
		[
			[{ name: 'A' }, 'B'],
			[
				{ name: 'A', ...labels },
				{ value: 'B', ...labels },
			],
		],
		[{ items: [{ name: 'A' }] }, [{ name: 'A', ...labels }]],
		[{ items: ['A'], count: 1 }, [{ items: ['A'], count: 1, ...labels }]],
		[
			{ request: 'quote', jobId: 'other', a: 1 },
			[{ a: 1, ...labels, original: { request: 'quote', jobId: 'other' } }],
		],
	])('with %j is an item, or one for each entry of its list', async (data, expected) => {
		expect(await items(completed(data))).toEqual(expected);
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
		expect(notices).toEqual([
			'The agent run job-7 completed without a result. It used 12 credits.',
		]);
	});

	it('of a chat is its message', async () => {
		const { results, notices } = ended({ ...completed(null), message: 'Hello' });
		expect(await results).toEqual([
			{ json: { jobId: 'job-7', request: { ...request, message: 'Hello' } } },
		]);
		expect(notices).toEqual([]);
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
	it.each<[IDataObject, RegExp, RegExp]>([
		[
			{ status: 'failed', error: 'asked for a credit card number', creditsUsed: 0 },
			/^asked for a credit card number \(agent run job-7\) \[item 0\]$/,
			/^Use 'Get Trace' to see what happened\. It used 0 credits\.$/,
		],
		[{ status: 'failed', error: 'Cancel subscription … not found' }, /^Cancel/, /^Use 'Get Trace'/],
		[{ status: 'cancelled' }, /ended as cancelled/, /Start it again/],
		[{ status: 'canceled', error: 'Gone' }, /^Gone/, /Start it again/],
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
		[{ status: 'failed', error: 'No', partial: [], data: '' }, /^No/, /'Get Trace'/],
	])('is an error: %j', async (response, message, advice) => {
		await expect(ended(response).results).rejects.toMatchObject({
			message: expect.stringMatching(message),
			description: expect.stringMatching(advice),
		});
	});

	const state: IDataObject = {
		status: 'failed',
		error: 'Reached the credit limit',
		stopReason: 'credit_limit_reached',
		threadId: 't-1',
		creditsUsed: 0,
	};
	const notice = `The result of the agent run job-7 is partial: Reached the credit limit. Narrow the prompt. To continue from its result, run the agent again with the 'Thread ID' t-1. A higher 'Max Credits' allows more.`;
	const request = { ...state, isPartial: true, notice };

	it.each(['partial', 'data'])('with findings under %s is those, marked', async (where) => {
		const { results, notices } = ended({ ...state, [where]: { a: 1 } });
		expect(await results).toEqual([{ json: { a: 1, jobId: 'job-7', request } }]);
		expect(notices).toEqual([notice]);
	});

	it('with a list of findings is an item for each entry, or one without entries', async () => {
		expect(await items({ ...state, partial: { items: ['A', 'B'] } })).toMatchObject([
			{ value: 'A', request: { isPartial: true } },
			{ value: 'B', request: { isPartial: true } },
		]);
		expect(await items({ ...state, partial: { items: [] } })).toEqual([
			{ items: [], jobId: 'job-7', request },
		]);
	});
});

describe('a trace', () => {
	const getTrace = operationOf(agent, 'getTrace');
	const event = (eventId: string, occurredAt?: string, more: IDataObject = {}) => ({
		eventId,
		...(occurredAt !== undefined && { occurredAt }),
		...more,
	});
	const read = async (events: IDataObject[]) => {
		const body: IDataObject = { success: true, id, events, creditsUsed: 3 };
		return await perform(getTrace, { jobId: id }, body);
	};

	it('has its events by time, then by sequence, and those without a time last', async () => {
		const { results } = await read([
			event('undated'),
			event('late', '2026-11-21T12:00:00.250Z'),
			event('second', '2026-11-21T12:00:00Z', { producerSequence: 2 }),
			event('first', '2026-11-21T12:00:00Z', { producerSequence: 1 }),
		]);
		expect(results.map(({ json }) => json.eventId)).toEqual(['first', 'second', 'late', 'undated']);
		expect(results[0].json).toMatchObject({ jobId: id, request: { creditsUsed: 3 } });
	});

	it('has no item with a top-level error', async () => {
		const error = { code: 'refused', retryable: false };
		const { results } = await read([event('a', undefined, { error }), { error: null }]);
		expect(results).toMatchObject([{ json: { eventId: 'a', eventError: error } }, {}]);
		expect(results.filter(({ json }) => 'error' in json)).toEqual([]);
	});
});

it.each<[unknown, unknown]>([
	['{"a": [1]}', { a: [1] }],
	['# Markdown', '# Markdown'],
	['{"a": ', '{"a": '],
	[{ a: 1 }, { a: 1 }],
])('a snapshot of %j is %j', async (snapshot, content) => {
	const parameters = { jobId: id, snapshotId: id };
	const body = { success: true, snapshot } as IDataObject;
	const { results } = await perform(operationOf(agent, 'getSnapshot'), parameters, body);
	expect(results).toEqual([{ json: { jobId: id, snapshotId: id, snapshot: content } }]);
});
