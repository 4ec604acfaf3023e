import type { INodeParameters } from 'n8n-workflow';
import type { EngineRun } from '../harness.cjs';
import type { Account } from '../testBed.cjs';
import { picked, storms, tides, useMonitors } from './monitors.cjs';

/** What Get Check makes of a check: its pages, read to the last. */
describe('a check', () => {
	const monitors = useMonitors();
	const { testBed } = monitors;

	/** Runs a check up to the end of its work, and answers its id. */
	const ran = async (account: Account, monitorId: string): Promise<string> =>
		(await monitors.checked(account, monitorId)).id;

	const read = async (
		account: Account,
		monitorId: string,
		checkId: string,
		set: INodeParameters = {},
	): Promise<EngineRun> =>
		await monitors.run('getCheck', { monitorId: picked(monitorId), checkId, ...set }, { account });

	const found = (run: EngineRun) => run.output().map(({ json }) => [json.url, json.status]);

	describe('of many pages', () => {
		const urls = Array.from(
			{ length: 130 },
			(_, index) => `https://bulk.example/pages/${index + 1}.md`,
		);

		async function large() {
			const account = testBed.account();
			testBed.service.site.bulk.pages = urls.length;
			const { id } = await monitors.made(account, { targets: [{ type: 'scrape', urls }] });
			return { account, id, checkId: await ran(account, id) };
		}

		it.each<[string, INodeParameters, number, object]>([
			['as far as a limit beyond the first answer', { limit: 120 }, 120, {}],
			[
				'to the end in one state',
				{ returnAll: true, additionalFields: { status: 'new' } },
				130,
				{ status: 'new' },
			],
		])('is read %s', async (_name, set, length, query) => {
			const { account, id, checkId } = await large();

			const run = await read(account, id, checkId, { returnAll: false, ...set });

			expect(monitors.requests.map((request) => request.query)).toEqual([
				{ limit: '100', ...query },
				{ limit: '100', skip: '100', ...query },
			]);
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

		it('comes out whole as one item, with the notices of every answer', async () => {
			const { account, id, checkId } = await large();
			testBed.service.faults.add({
				kind: 'addition',
				stage: 'after',
				skip: 1,
				fields: { warnings: ['The end is near.'] },
			});

			const run = await read(account, id, checkId, { returnAll: true, options: { output: 'raw' } });

			const [{ json }, ...more] = run.output();
			expect(more).toEqual([]);
			expect(json).not.toHaveProperty('next');
			expect(json).toMatchObject({ success: true, data: { id: checkId, status: 'completed' } });
			expect(json.data).not.toHaveProperty('next');
			const pages: unknown[] = Reflect.get(Object(json.data), 'pages');
			expect(pages.map((page) => Reflect.get(Object(page), 'url'))).toEqual(urls);
			expect(run.hints()).toMatchObject([{ message: 'The end is near.' }]);
		});
	});

	it('says what changed on a page, and whether it matters', async () => {
		const account = testBed.account();
		const { id } = await monitors.made(account, {
			goal: 'Tell me when the height of a spring tide changes',
			targets: [{ type: 'scrape', urls: [tides, storms] }],
		});
		await ran(account, id);
		testBed.service.site.update(tides, {
			markdown: `${testBed.service.site.find(tides)?.markdown}\n\nThe height of the next spring tide is 7 m.`,
		});
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
		const { id } = await monitors.made(account, {
			targets: [{ type: 'scrape', urls: [nowhere, tides] }],
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
