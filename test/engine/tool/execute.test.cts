import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { request, rows, templates, useTools } from './tools.cjs';

const picked = (value: string): INodeParameters => ({
	callsFrom: 'tool',
	tool: { __rl: true, mode: 'id', value },
});
const list = (...calls: object[]): INodeParameters => ({
	callsFrom: 'list',
	calls: JSON.stringify(calls),
});
const field = (id: string, type: string, more: object = {}): INodeParameters => ({
	id,
	displayName: id,
	type,
	required: false,
	defaultMatch: false,
	canBeUsedToMatch: false,
	display: true,
	removed: false,
	...more,
});
const mapped = (value: INodeParameters, ...schema: INodeParameters[]): INodeParameters => ({
	toolOptions: { mappingMode: 'defineBelow', value, schema, matchingColumns: [] },
});

/** Data tools are run by one request for up to ten of them. */
describe('executing tools', () => {
	const tools = useTools();
	const { testBed } = tools;
	const offers = { provider: 'emberroast', capability: 'coffee-offers' };

	it.each<[string, INodeParameters, object]>([
		[
			'with the fields of its options, in the types that it wants',
			{
				...picked(' relayworks/template-search '),
				...mapped(
					{ query: 'retry', limit: '2' },
					field('query', 'string', { required: true }),
					field('limit', 'number'),
				),
			},
			request({
				provider: 'relayworks',
				capability: 'template-search',
				options: { query: 'retry', limit: 2 },
			}),
		],
		[
			'with a time and a version',
			{
				...picked('emberroast/coffee-offers'),
				additionalFields: { timeout: 20_000, version: ' 2.1.0 ' },
			},
			{
				...request({ ...offers, version: '2.1.0' }),
				body: { alexandria: [{ ...offers, version: '2.1.0' }], timeout: 20_000 },
			},
		],
		['from a list', list(templates(), offers), request(templates(), offers)],
	])('sends one request %s', async (_name, parameters, expected) => {
		const run = await tools.run('execute', parameters);

		expect(run.error?.message).toBeUndefined();
		expect(tools.requests).toEqual([expected]);
		expect(tools.requestIds).toEqual([expect.stringMatching(/^[\w.:-]{1,128}$/)]);
	});

	it('returns an item for each call, and what the request cost', async () => {
		const account = testBed.account();

		const run = await tools.run(
			'execute',
			list(templates(), { ...offers, options: { product: 'blend' } }),
			{
				account,
			},
		);

		const [first, second, ...others] = rows(run);
		expect(others).toEqual([]);
		expect(first).toMatchObject({
			provider: 'relayworks',
			capability: 'template-search',
			creditsCost: expect.any(Number),
			data: { templates: expect.anything() },
			position: 1,
		});
		expect(second).toMatchObject({ ...offers, data: { offers: expect.any(Array) }, position: 2 });
		const spent = Number(first.creditsCost) + Number(second.creditsCost);
		expect(first.request).toEqual({
			scrape_id: expect.any(String),
			creditsCost: spent,
			requestId: tools.requestIds[0],
		});
		expect(second.request).toEqual(first.request);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(spent);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
	});

	it("is the service's own answer when the whole response is asked for", async () => {
		const run = await tools.run('execute', { ...list(templates(), offers), output: 'response' });

		expect(rows(run)).toMatchObject([
			{ success: true, data: { alexandria: [{}, {}] }, requestId: tools.requestIds[0] },
		]);
	});

	it('gives every item a request of its own', async () => {
		const run = await tools.run(
			'execute',
			{ callsFrom: 'list', calls: '={{ [$json] }}' },
			{ input: [templates('retry'), templates('cron'), templates('queue')] },
		);

		expect(run.status).toBe('success');
		expect(new Set(tools.requestIds).size).toBe(3);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	describe('fed with what was found', () => {
		const found = async (toolDetail: string) => {
			const run = await tools.time.drive(
				testBed.run('search', 'query', {
					query: 'workflow templates',
					sources: { values: [{ type: 'alexandria' }] },
					additionalFields: { toolDetail },
				}),
			);
			if (run.error) throw run.error;
			const tool = rows(run).find(({ capability }) => capability === 'template-search');
			if (!tool) throw new Error('The search found no template search');
			testBed.service.log.clear();
			return tool;
		};

		it.each(['compact', 'summary', 'full'])(
			'by a search, with the options to ask: %s',
			async (detail) => {
				const tool = await found(detail);

				const run = await tools.run(
					'execute',
					{
						callsFrom: 'list',
						calls: '={{ Object.assign({}, $json, { options: { query: "retry" } }) }}',
					},
					{ input: [tool] },
				);

				expect(run.error?.message).toBeUndefined();
				expect(tools.requests).toEqual([request(templates())]);
				expect(rows(run)).toMatchObject([{ data: { templates: expect.anything() } }]);
			},
		);

		it('by a search, as it is: the options that it lists are not sent', async () => {
			const tool = await found('full');
			expect(tool.options).toEqual(expect.any(Array));

			const run = await tools.run(
				'execute',
				{ callsFrom: 'list', calls: '={{ $json }}' },
				{ input: [tool] },
			);

			expect(tools.requests).toEqual([
				request({ provider: 'relayworks', capability: 'template-search' }),
			]);
			expect(rows(run)).toMatchObject([{ error: { message: 'query is required' } }]);
		});

		it('by Find, all of them in one request', async () => {
			const catalogue = await tools.run('find', { additionalFields: { providers: 'relayworks' } });
			testBed.service.log.clear();

			const run = await tools.run(
				'execute',
				{ callsFrom: 'list', calls: '={{ $json.tools }}' },
				{ input: [{ tools: rows(catalogue) }] },
			);

			expect(tools.requests).toEqual([
				request(
					...testBed.service.context.tools.tools
						.filter(({ provider }) => provider === 'relayworks')
						.map(({ provider, capability }) => ({ provider, capability })),
				),
			]);
			expect(run.status).toBe('success');
		});
	});

	describe('of which some fail', () => {
		const wrong = { provider: 'relayworks', capability: 'no-such' };
		const trouble = {
			code: 'upstream_failed',
			message: 'The source is down.',
			status: 502,
			charged: true,
		};

		it('returns the error of a call beside the items of the others', async () => {
			const account = testBed.account();
			testBed.service.context.tools.trouble.set('emberroast/coffee-offers', trouble);

			const run = await tools.run('execute', list(templates(), wrong, offers), { account });

			expect(run.status).toBe('success');
			expect(rows(run)).toMatchObject([
				{ data: { templates: expect.anything() } },
				{ ...wrong, error: { code: 'unknown_capability', status: 404 }, position: 2 },
				{ ...offers, error: { code: 'upstream_failed', chargeId: expect.any(String) } },
			]);
			const [hint] = run.hints();
			expect(hint.message).toMatch(
				/2 of 3 calls failed.*relayworks\/no-such.*emberroast\/coffee-offers/,
			);
		});

		it('is an error with all that is known, when the user wants that', async () => {
			const account = testBed.account();
			testBed.service.context.tools.trouble.set('emberroast/coffee-offers', trouble);

			const run = await tools.run(
				'execute',
				{ ...list(templates(), offers), onFailedCall: 'error' },
				{ account },
			);

			expect(run.error?.message).toMatch(
				/^1 of 2 calls failed\. emberroast\/coffee-offers: The source is down.*\(upstream_failed\) \[item 0\]$/,
			);
			const { chargeId } = Object(
				Reflect.get(Object(await replayed(account, run.error?.description)), 'error'),
			);
			expect(run.error?.description).toContain(`charge ${chargeId}`);
		});

		it.each<[string, object, RegExp]>([
			['a tool that does not exist', wrong, /^Check provider and capability\. 'Find'/],
			[
				'options that are wrong',
				{ ...offers, options: { size: 1 } },
				/Correct the field in the message/,
			],
		])('says what to do about %s', async (_name, call, advice) => {
			const run = await tools.run('execute', { ...list(call), onFailedCall: 'error' });

			expect(run.status).toBe('error');
			expect(run.error?.description).toMatch(advice);
			expect(run.error?.description).not.toMatch(/7 days/);
		});

		/** The failed call's result, fetched once more by the request id that the error names. */
		const replayed = async (
			account: ReturnType<typeof testBed.account>,
			description: unknown,
		): Promise<IDataObject> => {
			const requestId = /'Request ID' ([\w-]+)/.exec(String(description))?.[1] ?? '';
			expect(requestId).toBe(tools.requestIds[0]);
			const spent = testBed.service.ledger.spent(account.team.id);
			const again = await tools.run(
				'execute',
				{ ...list(templates(), offers), additionalFields: { requestId } },
				{ account },
			);
			expect(testBed.service.ledger.spent(account.team.id)).toBe(spent);
			expect(rows(again)[0]).toMatchObject({ data: { templates: expect.anything() } });
			return rows(again)[1];
		};
	});
});
