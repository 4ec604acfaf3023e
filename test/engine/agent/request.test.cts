import type { INodeParameters } from 'n8n-workflow';
import { prompt, useAgents } from './agents.cjs';

/** A schema with fields that n8n's client leaves out of what it is given as an object. */
const ofObjects: object = {
	type: 'object',
	properties: { constructor: { type: 'string' }, prototype: { type: 'number' } },
};

/** What goes over the wire, exactly: the API refuses what it does not know, and a default sent is a decision taken from the user. */
const requests: Array<[string, INodeParameters, object]> = [
	['nothing but the prompt', {}, {}],
	[
		'nothing that was left empty',
		{
			schemaType: 'schema',
			schema: '',
			additionalFields: {
				urls: '',
				model: '',
				threadId: '',
				exchange: {},
				webhook: {},
				auditMetadata: {},
			},
		},
		{},
	],
	[
		'addresses',
		{ additionalFields: { urls: 'https://tidewatch.example/, tidewatch.example/guides/' } },
		{ urls: ['https://tidewatch.example/', 'tidewatch.example/guides/'] },
	],
	[
		'addresses from an expression',
		{ additionalFields: { urls: '={{ ["https://tidewatch.example/"] }}' } },
		{ urls: ['https://tidewatch.example/'] },
	],
	[
		'a schema',
		{
			schemaType: 'schema',
			schema: '{"type":"object","properties":{"title":{"type":"string"}}}',
		},
		{ schema: { type: 'object', properties: { title: { type: 'string' } } } },
	],
	[
		"a schema whose fields have the names of an object's own",
		{ schemaType: 'schema', schema: JSON.stringify(ofObjects) },
		{ schema: ofObjects },
	],
	[
		'a schema from an expression',
		{ schemaType: 'schema', schema: '={{ { type: "object" } }}' },
		{ schema: { type: 'object' } },
	],
	[
		'a schema made from an example',
		{ schemaType: 'example', schemaExample: '{"name":"Ada","pages":[{"title":"T","words":3}]}' },
		{
			schema: {
				type: 'object',
				properties: {
					name: { type: 'string' },
					pages: {
						type: 'array',
						items: {
							type: 'object',
							properties: { title: { type: 'string' }, words: { type: 'number' } },
						},
					},
				},
			},
		},
	],
	['a cap', { additionalFields: { maxCredits: 2500 } }, { maxCredits: 2500 }],
	[
		'effort, mode and model',
		{ additionalFields: { effort: 'low', mode: 'chat', model: 'spark-2' } },
		{ effort: 'low', mode: 'chat', model: 'spark-2' },
	],
	[
		'switches that are off',
		{ additionalFields: { strictConstrainToURLs: false, exchange: { enabled: false } } },
		{ strictConstrainToURLs: false, exchange: { enabled: false } },
	],
	[
		'every setting of the exchange',
		{
			additionalFields: {
				mode: 'chat',
				exchange: {
					enabled: true,
					toolkits: 'filings, weather',
					maxCalls: 30,
					requireApproval: true,
					onTermsRequired: 'ask',
				},
			},
		},
		{
			mode: 'chat',
			exchange: {
				enabled: true,
				toolkits: ['filings', 'weather'],
				maxCalls: 30,
				requireApproval: true,
				onTermsRequired: 'ask',
			},
		},
	],
	[
		'a webhook',
		{
			additionalFields: {
				webhook: {
					url: 'https://hooks.example/agent',
					headers: [{ name: 'X-Case', value: '7' }],
					metadata: [{ name: 'row', value: '12' }],
					events: ['completed', 'failed'],
				},
			},
		},
		{
			webhook: {
				url: 'https://hooks.example/agent',
				headers: { 'X-Case': '7' },
				metadata: { row: '12' },
				events: ['completed', 'failed'],
			},
		},
	],
	[
		'a webhook for all events',
		{ additionalFields: { webhook: { url: 'https://hooks.example/agent', events: [] } } },
		{ webhook: { url: 'https://hooks.example/agent' } },
	],
	[
		'protection and audit',
		{
			additionalFields: {
				threatProtection: { mode: 'normal', riskScoreThreshold: 0 },
				auditMetadata: { username: 'ada' },
			},
		},
		{
			threatProtection: { mode: 'normal', riskScoreThreshold: 0 },
			auditMetadata: { username: 'ada' },
		},
	],
];

describe("an agent's request", () => {
	const agents = useAgents();

	it.each(requests)('holds %s', async (_name, parameters, body) => {
		// Deliveries to an address that nobody has are no part of this.
		agents.testBed.service.context.agents.script.set({ durationMs: 3_600_000, queueMs: 3_600_000 });

		const run = await agents.run('start', { prompt, ...parameters });

		expect(run.error?.message).toBeUndefined();
		expect(agents.bodies).toEqual([{ prompt, ...body }]);
	});

	it('is the same for Run as for Start', async () => {
		const parameters = { prompt, additionalFields: { effort: 'low', maxCredits: 400 } };

		await agents.run('start', parameters);
		await agents.run('run', parameters);

		const [start, run] = agents.bodies;
		expect(run).toEqual(start);
	});

	it('answers with the job at once when it is only started', async () => {
		const account = agents.testBed.account();

		const run = await agents.run('start', { prompt }, { account });

		const [{ json, pairedItem }] = run.output();
		const [job] = agents.testBed.service.context.agents.jobs;
		expect(json).toMatchObject({ jobId: job.id, request: { threadId: job.about.threadId } });
		expect(pairedItem).toEqual({ item: 0 });
		expect(agents.requests).toEqual(['POST /v2/agent']);
	});

	it('goes on with a thread, whose earlier request it inherits', async () => {
		const account = agents.testBed.account();
		const schema = '{"type":"object","properties":{"title":{"type":"string"}}}';
		const first = await agents.run('run', { prompt, schemaType: 'schema', schema }, { account });
		const { request } = first.output()[0].json as { request: { threadId: string } };

		const second = await agents.run(
			'run',
			{ prompt: 'storm surge', additionalFields: { threadId: request.threadId } },
			{ account },
		);

		expect(agents.bodies[1]).toEqual({ prompt: 'storm surge', threadId: request.threadId });
		expect(second.output()[0].json).toMatchObject({
			title: expect.any(String),
			request: { threadId: request.threadId, threadTurn: 2 },
		});
	});
});
