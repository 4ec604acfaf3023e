import type { INodeParameters } from 'n8n-workflow';
import { request, rows, templates, useTools } from './tools.cjs';

const list = (...calls: object[]): INodeParameters => ({ calls: JSON.stringify(calls) });

/** Data tools are run by one request for up to ten of them. */
describe('executing tools', () => {
	const tools = useTools();
	const { testBed } = tools;
	const offers = { provider: 'emberroast', capability: 'coffee-offers' };

	it.each<[string, INodeParameters, object]>([
		[
			'with a time and a version',
			{ ...list({ ...offers, version: '2.1.0' }), additionalFields: { timeout: 20_000 } },
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

	it('runs a tool of a search, with its options set', async () => {
		const found = await tools.time.drive(
			testBed.run('search', 'query', {
				query: 'workflow templates',
				additionalFields: { sources: ['alexandria'], requestJson: '{"toolDetail": "full"}' },
			}),
		);
		const tool = rows(found).find(({ capability }) => capability === 'template-search');
		testBed.service.log.clear();

		const run = await tools.run(
			'execute',
			{ calls: '={{ Object.assign({}, $json, { options: { query: "retry" } }) }}' },
			{ input: [tool ?? {}] },
		);

		expect(run.error?.message).toBeUndefined();
		expect(tools.requests).toEqual([request(templates())]);
		expect(rows(run)).toMatchObject([{ data: { templates: expect.anything() } }]);
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
				{ ...wrong, failed: { code: 'unknown_capability', status: 404 }, position: 2 },
				{ ...offers, failed: { code: 'upstream_failed', chargeId: expect.any(String) } },
			]);
			// n8n's Retry On Fail would repeat a green node whose first item has an error.
			expect(rows(run).filter((row) => 'error' in row)).toEqual([]);
			const [hint] = run.hints();
			expect(hint.message).toMatch(
				/2 of 3 calls have no result.*relayworks\/no-such.*emberroast\/coffee-offers/,
			);
		});

		it('is an error with all that is known if every call failed', async () => {
			testBed.service.context.tools.trouble.set('emberroast/coffee-offers', trouble);

			const run = await tools.run('execute', list(offers));

			expect(run.error?.message).toMatch(
				/^emberroast\/coffee-offers: The source is down.*\(upstream_failed\); charged anyway \(charge /,
			);
		});

		it.each<[string, object, RegExp]>([
			['a tool that does not exist', wrong, /^Check provider and capability: /],
			[
				'options that are wrong',
				{ ...offers, options: { size: 1 } },
				/correct the field in the message/,
			],
		])('says what to do about %s', async (_name, call, advice) => {
			const run = await tools.run('execute', list(call));

			expect(run.status).toBe('error');
			expect(run.error?.description).toMatch(advice);
			expect(run.error?.description).not.toMatch(/7 days/);
		});
	});
});
