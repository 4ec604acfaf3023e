import type { INodeParameters } from 'n8n-workflow';
import { request, rows, templates, useTools } from './tools.cjs';

const storms = {
	provider: 'tidewatch',
	capability: 'storm-warnings',
	options: { coast: 'Husum' },
};
const offers = { provider: 'emberroast', capability: 'coffee-offers' };
const limited = (credits: number): INodeParameters => ({
	limits: { maxCreditsPerExecution: credits, maxConcurrency: 3 },
});
const list = (...calls: object[]): INodeParameters => ({
	callsFrom: 'list',
	calls: JSON.stringify(calls),
});
/** The catalogue is asked for the prices of these tools. */
const lookUp = (provider: string, capability: string) =>
	request({
		provider: 'firecrawl',
		capability: 'find-tools',
		options: { providers: [provider], capabilities: [capability], level: 'tools', limit: 100 },
	});

describe('what tools cost, where the credits are limited', () => {
	const tools = useTools();
	const { testBed } = tools;

	it('is looked up, and refused before sending', async () => {
		const account = testBed.account();

		const run = await tools.run(
			'execute',
			{ ...list(storms, storms, storms), ...limited(5) },
			{ account },
		);

		expect(run.error?.message).toBe(
			"Not sent: it may cost 6 credits; of the 5 of 'Max Credits per Execution' 0 are spent [item 0]",
		);
		expect(tools.requests).toEqual([lookUp('tidewatch', 'storm-warnings')]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(0);
	});

	it('is looked up once for all items, and counted', async () => {
		const run = await tools.run(
			'execute',
			{
				callsFrom: 'tool',
				tool: { __rl: true, mode: 'id', value: 'tidewatch/storm-warnings' },
				toolOptions: { mappingMode: 'defineBelow', value: storms.options, schema: [] },
				limits: { maxCreditsPerExecution: 3, maxConcurrency: 1 },
			},
			{ input: [{}, {}, {}], onError: 'continueRegularOutput' },
		);

		expect(tools.requests).toEqual([lookUp('tidewatch', 'storm-warnings'), request(storms)]);
		const told = rows(run).map(({ error }) => error);
		expect(told).toEqual([
			undefined,
			expect.stringMatching(/^Not sent: it may cost 2 credits; .* 2 are spent/),
			expect.stringMatching(/^Not sent: it may cost 2 credits; .* 2 are spent/),
		]);
	});

	it('may come along with the calls, and is not sent', async () => {
		const priced = { ...templates(), creditsCost: 1, perRecord: false };

		const dear = await tools.run('execute', {
			...list({ ...priced, creditsCost: 7 }),
			...limited(5),
		});
		const fair = await tools.run('execute', { ...list(priced), ...limited(5) });

		expect(dear.error?.message).toMatch(/^Not sent: it may cost 7 credits/);
		expect(fair.status).toBe('success');
		expect(tools.requests).toEqual([request(templates())]);
	});

	it('comes along with a tool as Find returns it', async () => {
		const found = await tools.run('find', { query: 'storm', additionalFields: {}, limit: 5 });
		const tool = rows(found).find(({ capability }) => capability === 'storm-warnings');
		testBed.service.log.clear();

		const run = await tools.run('execute', {
			...list({ ...tool, options: storms.options }),
			...limited(1),
		});

		expect(run.error?.message).toMatch(/^Not sent: it may cost 2 credits/);
		expect(tools.requests).toEqual([]);
	});

	it('is at least one record where records are charged: such calls run alone, and count as answered', async () => {
		const account = testBed.account();

		const run = await tools.run(
			'execute',
			{ ...list({ ...offers, creditsCost: 1, perRecord: true }), ...limited(3) },
			{ account, input: [{}, {}, {}], onError: 'continueRegularOutput' },
		);

		expect(tools.requests).toEqual([request(offers)]);
		const spent = testBed.service.ledger.spent(account.team.id);
		expect(spent).toBeGreaterThan(1);
		const [first, ...others] = rows(run);
		expect(first).toMatchObject({ creditsCost: spent });
		for (const { error } of others) {
			expect(error).toMatch(new RegExp(`^Not sent: it may cost 1 credit; .* ${spent} are spent`));
		}
	});

	it('is not known: nothing is sent', async () => {
		const run = await tools.run('execute', {
			...list({ provider: 'nobody', capability: 'knows' }),
			...limited(100),
		});

		expect(run.error?.message).toMatch(/^Not sent: the price of nobody\/knows is unknown/);
		expect(run.error?.description).toContain('creditsCost');
		expect(tools.requests).toEqual([lookUp('nobody', 'knows')]);
	});

	it('is nothing for the catalogue itself', async () => {
		const find = { provider: 'firecrawl', capability: 'find-tools', options: { query: 'storm' } };

		const run = await tools.run('execute', { ...list(find), ...limited(0) });

		expect(run.status).toBe('success');
		expect(tools.requests).toEqual([request(find)]);
	});
});
