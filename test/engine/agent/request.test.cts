import type { INodeParameters } from 'n8n-workflow';
import { prompt, useAgents } from './agents.cjs';

/** The fields that are sent as they are set. */
const same = {
	effort: 'low',
	maxCredits: 2500,
	mode: 'chat',
	strictConstrainToURLs: true,
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
				threadId: '',
				webhook: {},
			},
		},
		{},
	],
	[
		'every field',
		{
			schemaType: 'schema',
			schema: '={{ { type: "object" } }}',
			additionalFields: {
				...same,
				urls: 'https://tidewatch.example/, tidewatch.example/guides/',
				webhook: {
					url: 'https://hooks.example/agent',
					events: ['completed', 'failed'],
				},
			},
		},
		{
			schema: { type: 'object' },
			...same,
			urls: ['https://tidewatch.example/', 'tidewatch.example/guides/'],
			webhook: {
				url: 'https://hooks.example/agent',
				events: ['completed', 'failed'],
			},
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
