import type { INodeParameters } from 'n8n-workflow';
import { MonitorClient, type MonitorBody } from '../../mock/testClient.cjs';
import { type EngineRun } from '../harness.cjs';
import { useTestBed, type Account, type SearchOptions } from '../testBed.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';

const testBed = useTestBed();
let account: Account;
let client: MonitorClient;
beforeEach(() => {
	testBed.service.clock.hold(Date.parse('2026-11-21T12:10:00Z'));
	account = testBed.account();
	client = new MonitorClient(testBed.service, account.key);
});

/** A picked monitor as the editor stores it. */
const picked = (value: string, mode: 'list' | 'id' = 'id') => ({ __rl: true, mode, value });
const scraping = (...urls: string[]) => ({ targets: [{ type: 'scrape', urls }] });

const run = async (operation: string, set: INodeParameters, options?: SearchOptions) =>
	await testBed.run('monitor', operation, set, { account, ...options });
/** What an operation comes to. @throws the run's error */
async function items(...of: Parameters<typeof run>) {
	const ended = await run(...of);
	if (ended.error) throw ended.error;
	return ended.output();
}
/** Makes a monitor without the node, and forgets the requests for it. */
async function made(change: Record<string, unknown> = {}): Promise<MonitorBody> {
	const monitor = await client.created(change);
	testBed.service.log.clear();
	return monitor;
}
/** Runs a check without the node, up to the end of its work, and returns its ID. */
async function checked(monitorId: string): Promise<string> {
	const { id } = await client.checked(monitorId);
	testBed.service.log.clear();
	return id;
}

/** The requests that operations on one monitor send. What comes out of each is in test/cases. */
describe('a monitor', () => {
	it.each<[string, (id: string) => INodeParameters[string]]>([
		['from the list', (id) => ({ ...picked(id, 'list'), cachedResultName: 'Spring tides' })],
		['by its ID in capitals, between blanks', (id) => picked(` ${id.toUpperCase()} `)],
		['by an expression in the field', () => picked('={{ $json.id }}')],
		['by an expression in place of the field', () => '={{ $json.id }}'],
	])('is picked %s', async (_name, pick) => {
		const { id } = await made();

		const options = { output: 'fields', outputFields: '' };
		const [{ json }] = await items('get', { monitorId: pick(id), options }, { input: [{ id }] });

		expect(json).toEqual(await client.get(id));
	});

	it('whose check may have been started is not run again, for a second one would cost', async () => {
		const { id } = await made();
		testBed.service.faults.add({ kind: 'reset', method: 'POST', stage: 'after' });

		const { error } = await run('run', { monitorId: picked(id) });

		expect(error?.description).toMatch(/may have been processed.*not retried/);
		expect(testBed.requests).toHaveLength(1);
	});
});

/** What Get Check makes of a check: its pages, read to the last. */
describe('a check', () => {
	const read = async (monitorId: string, checkId: string, set: INodeParameters = {}) =>
		await run('getCheck', { monitorId: picked(monitorId), checkId, ...set });
	const found = (ended: EngineRun) => ended.output().map(({ json }) => [json.url, json.status]);

	describe('of many pages', () => {
		const urls = Array.from({ length: 130 }, (_, at) => `https://bulk.example/pages/${at + 1}`);

		async function large() {
			testBed.service.site.addMany(urls.length, 200);
			const { id } = await made(scraping(...urls));
			return [id, await checked(id)] as const;
		}

		it.each<[string, INodeParameters, number, object]>([
			['as far as a limit beyond the first answer', { returnAll: false, limit: 120 }, 120, {}],
			[
				'to the end in one state',
				{ returnAll: true, additionalFields: { status: 'new' } },
				130,
				{ status: 'new' },
			],
		])('is read %s', async (_name, set, length, query) => {
			const [monitorId, checkId] = await large();

			const options = { output: 'fields', outputFields: '' };
			const ended = await read(monitorId, checkId, { ...set, options });

			expect(testBed.requests.map((request) => request.query)).toEqual([
				{ limit: '100', ...query },
				{ limit: '100', skip: '100', ...query },
			]);
			expect(ended.output().map(({ json }) => [json.url, json.position])).toEqual(
				urls.slice(0, length).map((url, index) => [url, index + 1]),
			);
			for (const { json } of ended.output()) {
				expect(json).toMatchObject({ monitorId, checkId });
			}
			expect(ended.hints()).toEqual([]);
		});

		it('comes out whole as one item, with the notices of every answer', async () => {
			const [monitorId, checkId] = await large();
			const fields = { warnings: ['The end is near.'] };
			testBed.service.faults.add({ kind: 'addition', stage: 'after', skip: 1, fields });

			const options = { output: 'raw' };
			const ended = await read(monitorId, checkId, { returnAll: true, options });

			const [{ json }, ...more] = ended.output();
			expect(more).toEqual([]);
			expect(json).not.toHaveProperty('next');
			expect(json).toMatchObject({ success: true, data: { id: checkId, status: 'completed' } });
			expect(json.data).not.toHaveProperty('next');
			const pages: object[] = Object(json.data).pages;
			expect(pages.map((page) => Reflect.get(page, 'url'))).toEqual(urls);
			expect(ended.hints()).toMatchObject([{ message: 'The end is near.' }]);
		});
	});

	it('that goes on says that more may come; that has ended says nothing', async () => {
		const { id } = await made();
		const checkId = await checked(id);
		const [check] = testBed.service.context.monitors.all[0].checks;

		check.status = 'running';
		const during = await read(id, checkId);
		check.status = 'completed';
		const after = await read(id, checkId);

		expect([during, after].map(found)).toEqual([[[tides, 'new']], [[tides, 'new']]]);
		expect([during, after].map((ended) => ended.hints().map(({ message }) => message))).toEqual([
			[`Check ${checkId} is still running (running); more pages may follow.`],
			[],
		]);
	});

	it.each<[INodeParameters, string]>([
		[{}, 'no pages.'],
		[{ additionalFields: { status: 'new' } }, 'no pages with the status new.'],
	])('that could not be paid says that it has none: %j', async (set, words) => {
		const { id } = await made();
		const checkId = await checked(id);
		const [check] = testBed.service.context.monitors.all[0].checks;
		Object.assign(check, { status: 'skipped_no_credits', pages: [] });

		const ended = await read(id, checkId, set);

		expect(ended.output()).toEqual([]);
		expect(ended.hints().map(({ message }) => message)).toEqual([
			`Check ${checkId} (skipped_no_credits) has ${words}`,
		]);
	});
});
