import { hintsOf, jsonOf, told, useSyncedSite } from './synced.cjs';

describe('a site that may not have been read whole', () => {
	const synced = useSyncedSite();
	const { testBed, run, sync } = synced;
	/** Leaves the account so many credits. */
	const leave = (credits: number) => {
		synced.account.team.credits = synced.spent() + credits;
	};

	it('loses no page where the credits left have lowered the limit', async () => {
		synced.handbook.open(9);
		await sync();
		leave(4);

		const short = await run();

		expect(jsonOf(short)).toEqual([]);
		expect(hintsOf(short)).toMatch(/lowered the limit of the crawl .* from 100 to 4/);
		expect(hintsOf(short)).toMatch(
			/6 known pages are missing.*the remaining credits lowered 'Limit'/,
		);
		leave(1_000);
		expect(await sync()).toEqual([]);
	});

	it('loses no page where nobody tells which limit it had', async () => {
		synced.handbook.open(5);
		await sync();
		synced.handbook.remove('1');
		testBed.service.faults.add({ path: '/v2/crawl/active', kind: 'status', status: 500 });

		const doubtful = await run();

		expect(jsonOf(doubtful)).toEqual([]);
		expect(hintsOf(doubtful)).toMatch(
			/the server does not report whether the remaining credits lowered/,
		);
		expect(await sync()).toHaveLength(1);
	});

	it.each([
		[
			'of robots.txt',
			/robots\.txt file prevented this/,
			'One or more pages were unable to be crawled because the robots.txt file prevented this. Please use the /scrape endpoint instead.',
			true,
		],
		[
			'of few results',
			/Only 1 result/,
			'Only 1 result(s) found. For broader coverage, try crawling with crawlEntireDomain=true',
			true,
		],
		['that nobody knows', /cut short/, 'The crawl was cut short.', false],
	])(
		'shows a warning %s, and believes it as far as it is known',
		async (_name, shown, warning, isWhole) => {
			synced.handbook.open(5);
			await sync();
			synced.handbook.remove('1');
			testBed.service.context.pageJobs.paces.add({ warning });

			const warned = await run();

			expect(hintsOf(warned)).toMatch(shown);
			expect(jsonOf(warned)).toHaveLength(isWhole ? 1 : 0);
		},
	);

	it('loses the page that is gone though robots.txt forbids others', async () => {
		const url = 'https://portoffice.example';
		await sync({ url });
		const gone = testBed.service.site.pages.findLast(
			({ host, path, kind }) =>
				host === 'portoffice.example' && kind === 'page' && !/^\/($|internal)/.test(path),
		);
		if (!gone) throw new Error('The small web has no such page');
		testBed.service.site.update(gone.url, { status: 404 });

		const second = await run({ url });

		expect(hintsOf(second)).toMatch(/robots\.txt file prevented this/);
		expect(told(jsonOf(second))).toEqual([`delete removed ${gone.url}`]);
	});
});

describe('credits that the server does not know', () => {
	const synced = useSyncedSite();
	const { testBed, run } = synced;

	beforeEach(() => {
		const { options } = testBed.service.context;
		Object.assign(options, { server: { age: '2026-08', selfHosted: true }, authentication: false });
	});

	it('are those of the documents', async () => {
		synced.handbook.open(3);

		const first = await run();

		expect(jsonOf(first)).toHaveLength(4);
		for (const { request } of jsonOf(first)) expect(request).toMatchObject({ creditsUsed: 4 });
		expect(hintsOf(first)).toMatch(/scraped by a crawl for 4 credits/);
	});

	it('keep no limit from being known', async () => {
		synced.handbook.open(5);
		await run();
		synced.handbook.remove('1');
		testBed.service.faults.add({ path: '/v2/crawl/active', kind: 'status', status: 404 });

		expect(jsonOf(await run())).toHaveLength(1);
	});

	it('count in a budget as what the documents name', async () => {
		synced.handbook.open(3);
		const limits = { maxCreditsPerDay: 23 };
		const inDay = { limit: 10, limits };

		for (let count = 0; count < 4; count += 1) {
			expect((await run(inDay)).error?.message).toBeUndefined();
		}
		expect((await run(inDay)).error?.message).toMatch(/may cost 10 credits.*7 are left/);
	});
});
