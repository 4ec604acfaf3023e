import type { INodeParameters } from 'n8n-workflow';
import type { EngineRun } from '../harness.cjs';
import type { Account } from '../testBed.cjs';
import { least, picked, storms, tides, useMonitors } from './monitors.cjs';

/** What Get Check makes of a check: its pages, read to the last. */
describe('a check', () => {
	const monitors = useMonitors();
	const { testBed } = monitors;

	/** Makes a monitor by the node, and answers its id. */
	async function made(account: Account, set: INodeParameters): Promise<string> {
		const [{ json }] = await monitors.items('create', { ...least, ...set }, { account });
		return String(json.id);
	}

	/** Runs a check by the node up to the end of its work, and answers its id. */
	async function ran(account: Account, monitorId: string): Promise<string> {
		const [{ json }] = await monitors.items('run', { monitorId: picked(monitorId) }, { account });
		await testBed.service.context.monitors.idle();
		testBed.service.log.clear();
		return String(json.id);
	}

	const read = async (
		account: Account,
		monitorId: string,
		checkId: string,
		set: INodeParameters = {},
	): Promise<EngineRun> =>
		await monitors.run('getCheck', { monitorId: picked(monitorId), checkId, ...set }, { account });

	const append = (url: string, text: string) =>
		testBed.service.site.update(url, {
			markdown: `${testBed.service.site.find(url)?.markdown}\n\n${text}`,
		});

	const found = (run: EngineRun) => run.output().map(({ json }) => [json.url, json.status]);

	describe('of many pages', () => {
		const count = 230;

		async function large() {
			const account = testBed.account();
			testBed.service.site.bulk.pages = count;
			const urls = Array.from(
				{ length: count },
				(_, index) => `https://bulk.example/pages/${index + 1}.md`,
			);
			const { id } = await monitors.made(account, { targets: [{ type: 'scrape', urls }] });
			const checkId = await ran(account, id);
			return { account, id, checkId, urls, path: `/v2/monitor/${id}/checks/${checkId}` };
		}

		it.each<[string, INodeParameters, number, object[]]>([
			[
				'as far as a limit beyond the first answer',
				{ returnAll: false, limit: 130 },
				130,
				[{ limit: '100' }, { limit: '100', skip: '100' }],
			],
			[
				'to the end in one state',
				{ additionalFields: { status: 'new' } },
				count,
				[
					{ limit: '100', status: 'new' },
					{ limit: '100', skip: '100', status: 'new' },
					{ limit: '100', skip: '200', status: 'new' },
				],
			],
		])('is read %s', async (_name, set, length, queries) => {
			const { account, id, checkId, urls, path } = await large();

			const run = await read(account, id, checkId, set);

			expect(run.error?.message).toBeUndefined();
			expect(monitors.requests).toEqual(
				queries.map((query) => ({ method: 'GET', path, query, body: undefined })),
			);
			expect(run.output().map(({ json }) => [json.url, json.position])).toEqual(
				urls.slice(0, length).map((url, index) => [url, index + 1]),
			);
			for (const { json } of run.output()) {
				expect(json).toMatchObject({ monitorId: id, checkId, check: { status: 'completed' } });
				expect(json.check).not.toHaveProperty('pages');
				expect(json.check).not.toHaveProperty('next');
			}
			expect(run.hints()).toEqual([]);
		});

		it('comes out whole as one item', async () => {
			const { account, id, checkId, urls } = await large();

			const run = await read(account, id, checkId, { returnAll: true, options: { output: 'raw' } });

			const [{ json, pairedItem }, ...more] = run.output();
			expect(more).toEqual([]);
			expect(pairedItem).toEqual({ item: 0 });
			expect(json).not.toHaveProperty('next');
			expect(json).toMatchObject({ success: true, data: { id: checkId, status: 'completed' } });
			expect(json.data).not.toHaveProperty('next');
			const pages: unknown[] = Reflect.get(Object(json.data), 'pages');
			expect(pages.map((page) => Reflect.get(Object(page), 'url'))).toEqual(urls);
		});

		it('shows the notices of every answer', async () => {
			const { account, id, checkId, path } = await large();
			const body = {
				success: true,
				warnings: ['The end is near.'],
				data: { pages: [{ id: 'p' }] },
			};
			testBed.service.faults.add({ kind: 'status', status: 200, body, path, skip: 1 });

			const run = await read(account, id, checkId, { returnAll: true });

			expect(run.output()).toHaveLength(101);
			expect(run.hints()).toMatchObject([{ message: 'The end is near.' }]);
		});
	});

	it('says what changed on a page, and whether it matters', async () => {
		const account = testBed.account();
		const id = await made(account, {
			additionalFields: { goal: 'Tell me when the height of a spring tide changes' },
			targets: { values: [{ type: 'scrape', urls: `${tides}, ${storms}` }] },
		});
		await ran(account, id);
		append(tides, 'The height of the next spring tide is 7 m.');
		const checkId = await ran(account, id);

		const run = await read(account, id, checkId);

		expect(found(run)).toEqual([
			[tides, 'changed'],
			[storms, 'same'],
		]);
		const [{ json }] = run.output();
		expect(json).toMatchObject({
			diff: {
				text: expect.stringContaining('+The height of the next spring tide is 7 m.'),
				json: { files: [expect.any(Object)] },
			},
			judgment: {
				meaningful: true,
				meaningfulChanges: [{ type: 'added', before: null }],
			},
			check: { id: checkId, trigger: 'manual', summary: { changed: 1, same: 1 }, actualCredits: 3 },
		});
	});

	it('has the page that could not be read among its pages', async () => {
		const account = testBed.account();
		const nowhere = 'https://nowhere.example/';
		const id = await made(account, {
			targets: { values: [{ type: 'scrape', urls: `${nowhere}, ${tides}` }] },
		});

		const run = await read(account, id, await ran(account, id));

		expect(run.status).toBe('success');
		expect(run.output().map(({ json }) => json)).toMatchObject([
			{
				url: nowhere,
				status: 'error',
				pageError: expect.stringContaining('DNS'),
				check: { status: 'partial' },
			},
			{ url: tides, status: 'new' },
		]);
	});

	it('that goes on says that more may come; that has ended says nothing', async () => {
		const account = testBed.account();
		testBed.service.context.monitors.durationMs = 60_000;
		const { id } = await monitors.made(account);
		const checkId = await ran(account, id);

		const during = await read(account, id, checkId);
		await testBed.service.clock.advance(60_000);
		const after = await read(account, id, checkId);

		expect(found(during)).toEqual([[tides, 'new']]);
		expect(during.hints().map(({ message }) => message)).toEqual([
			`Check ${checkId} is still running (running); more pages may follow.`,
		]);
		expect(found(after)).toEqual([[tides, 'new']]);
		expect(after.hints()).toEqual([]);
	});

	it.each<[INodeParameters, string]>([
		[{}, 'no pages.'],
		[{ additionalFields: { status: 'new' } }, 'no pages with the status new.'],
	])('that could not be paid says that it has none: %j', async (set, words) => {
		const account = testBed.account({ credits: 0 });
		const { id } = await monitors.made(account);
		const checkId = await ran(account, id);

		const run = await read(account, id, checkId, set);

		expect(run.output()).toEqual([]);
		expect(run.hints().map(({ message }) => message)).toEqual([
			`Check ${checkId} (skipped_no_credits) has ${words}`,
		]);
	});
});
