import type { IDataObject } from 'n8n-workflow';
import { useDrivenTime } from '../drivenTime.cjs';
import { inMemory } from '../file/inputFiles.cjs';
import { operationNames } from '../operationNames.cjs';
import { Fixtures, validParameters } from '../validParameters.cjs';
import { useTestBed } from '../testBed.cjs';
import { withoutMark } from '../jobKinds.cjs';

const estimating = { limits: { estimateOnly: true } };
const hour = 3_600_000;
const page = 'https://tidewatch.example/guides/spring-tides';

describe('Estimate Only', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);

	const estimatesOf = async (...args: Parameters<typeof testBed.run>) => {
		const [resource, operation, set, options] = args;
		const run = await testBed.run(resource, operation, { ...set, ...estimating }, options);
		expect([run.status, run.error?.message]).toEqual(['success', undefined]);
		return run.output();
	};

	it.each(operationNames)(
		'of $resource: $operation tells the request that goes out, and sends nothing',
		async (name) => {
			if (name.operation === 'cancel') {
				testBed.service.context.pageJobs.paces.set({ pageMs: 3_600_000 });
			}
			const { log, ledger } = testBed.service;
			const account = testBed.account();
			const parameters = await validParameters(name, new Fixtures(testBed.service, account));
			const binary = { data: inMemory('fees.html', 'text/html', '<h1>Fees</h1>') };
			const options = { account, input: [{ json: { tag: 'a' }, binary }] };
			const { resource, operation } = name;
			log.clear();
			const spent = ledger.spent(account.team.id);

			const [estimated, ...more] = await estimatesOf(resource, operation, parameters, options);

			// What a tool costs is asked for, free.
			expect(
				log.entries.filter(({ body }) => !JSON.stringify(body)?.includes('find-tools')),
			).toEqual(resource === 'tool' ? expect.any(Array) : []);
			expect([more, ledger.spent(account.team.id) - spent]).toEqual([[], 0]);
			expect(estimated.pairedItem).toEqual({ item: 0 });
			const [told] = estimated.json.requests as IDataObject[];
			const { minCredits, maxCredits, reasons } = estimated.json;
			expect(reasons).not.toEqual([]);
			expect(maxCredits === null || Number(minCredits) <= Number(maxCredits)).toBe(true);

			log.clear();
			await time.drive(testBed.run(resource, operation, parameters, options));
			const [sent] = log.entries;
			expect([sent.method, sent.path]).toEqual([told.method, told.path]);
			if (resource !== 'file') expect(withoutMark(sent.body) ?? undefined).toEqual(told.body);
			// Jobs and sessions that it has left alone end, and are charged.
			const ids = log.entries.map(({ id }) => id);
			await time.pass(hour);
			const charge = ledger.chargedTo(ids);
			expect(charge).toBeGreaterThanOrEqual(Number(minCredits));
			expect(charge).toBeLessThanOrEqual(Number(maxCredits ?? Infinity));
		},
	);

	it.each([
		['page', 'scrape', { url: 'https://tidewatch.example/fees.pdf' }],
		['file', 'parse', {}],
	])('knows no most for a PDF: %s %s', async (resource, operation, parameters) => {
		const input = [{ json: {}, binary: { data: inMemory('fees.pdf', 'application/pdf', '%PDF') } }];

		const [{ json }] = await estimatesOf(resource, operation, parameters, { input });

		expect(json).toMatchObject({ minCredits: 1, maxCredits: null });
	});

	it('tells each item its own, and keeps the error of bad input', async () => {
		const [one, bad, other] = await estimatesOf(
			'search',
			'query',
			{ query: 'tide', limit: '={{ $json.limit }}' },
			{
				input: [{ limit: 10 }, { limit: 0 }, { limit: 20 }],
				onError: 'continueRegularOutput',
			},
		);
		expect([one.json.maxCredits, other.json.maxCredits]).toEqual([2, 4]);
		expect([one.pairedItem, other.pairedItem]).toEqual([{ item: 0 }, { item: 2 }]);
		expect(bad.error?.message).toMatch(/'Limit'.*\[item 1\]/);
		expect(testBed.service.log.entries).toEqual([]);
	});

	it('of a batch for several items is one, linked to them', async () => {
		const estimates = await estimatesOf(
			'batch',
			'run',
			{ urls: '={{ $json.url }}' },
			{ input: [{ url: page }, { url: 'https://tidewatch.example/' }, { url: page }] },
		);
		expect(estimates).toHaveLength(1);
		expect(estimates[0].json).toMatchObject({ minCredits: 0, maxCredits: 2 });
		expect(estimates[0].pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(testBed.service.log.entries).toEqual([]);
	});

	it('asks the catalogue what a tool costs, and nothing else', async () => {
		const call = (provider: string, capability: string) => ({
			callsFrom: 'list',
			calls: JSON.stringify([{ provider, capability, options: { coast: 'Husum' } }]),
		});
		const [known] = await estimatesOf('tool', 'execute', call('tidewatch', 'storm-warnings'));
		expect(known.json).toMatchObject({
			minCredits: 2,
			maxCredits: 2,
			reasons: ['tidewatch/storm-warnings 2 credits per call'],
		});
		const [unknown] = await estimatesOf('tool', 'execute', call('nobody', 'knows'));
		expect(unknown.json).toMatchObject({
			maxCredits: null,
			reasons: ['The catalogue lists no price of nobody/knows'],
		});
		const asked = testBed.service.log.entries.map(({ body }) => JSON.stringify(body));
		expect(asked).toHaveLength(2);
		expect(asked.every((body) => body.includes('find-tools'))).toBe(true);
	});

	it('sends nothing beside a limit that is passed, and needs no budget', async () => {
		const run = await testBed.run('crawl', 'run', {
			url: page,
			limit: 50,
			limits: { estimateOnly: true, maxCreditsPerExecution: 1 },
		});
		expect(run.output()[0].json).toMatchObject({ maxCredits: 50 });
	});

	it('works for a tool of an AI Agent, too', async () => {
		const run = await testBed.run(
			'map',
			'get',
			{ url: page, ...estimating },
			{ node: { type: testBed.engine.typeName('webDataTool') } },
		);
		const told = JSON.stringify(run.output().map(({ json }) => json));
		expect(told).toContain('"maxCredits":1');
		expect(told).not.toContain('comes from the web');
		expect(testBed.service.log.entries).toEqual([]);
	});

	it('of a file that goes to an address of its own tells both requests', async () => {
		const binary = { data: inMemory('fees.html', 'text/html', '<h1>Fees</h1>') };
		const [estimated] = await estimatesOf(
			'file',
			'parse',
			{ binaryPropertyName: 'data', additionalFields: { uploadMethod: 'presigned' } },
			{ input: [{ json: {}, binary }] },
		);
		expect(estimated.json).toMatchObject({
			requests: [
				{ method: 'POST', path: '/v2/parse/upload-url' },
				{ method: 'POST', path: '/v2/parse' },
			],
			minCredits: 1,
			maxCredits: 1,
		});
		expect(testBed.service.log.entries).toEqual([]);
	});
});
