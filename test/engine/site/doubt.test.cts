import { addressOf, start, textOf } from './handbook.cjs';
import { hintsOf, jsonOf, told, useSyncedSite } from './synced.cjs';

const byMap = { strategy: 'map' };

describe('a site in whose place stands something else', () => {
	const synced = useSyncedSite();
	const { testBed, run, sync } = synced;
	const calm = async (runs: number, way: object): Promise<void> => {
		for (let day = 0; day < runs; day += 1) {
			const broken = await run({ ...way });
			const items = broken.error ? [] : jsonOf(broken);
			expect(items.filter(({ action }) => action === 'delete')).toEqual([]);
		}
	};

	const ways: Array<[string, object]> = [
		['by a crawl', {}],
		['by a map', byMap],
		['by a map, in turn', { ...byMap, rescrapeEvery: 3 }],
		['by maps and crawls, in turn', { rescrapeEvery: 3 }],
	];

	it.each(
		ways.flatMap(
			([name, way]): Array<[string, object, object]> => [
				[`404 for all, ${name}`, way, { status: 404 }],
				[`410 for all, ${name}`, way, { status: 410 }],
				[`403 for all, ${name}`, way, { status: 403 }],
				[
					`a login page for all, ${name}`,
					way,
					{ title: 'Sign in', markdown: 'Please [sign in](/login).' },
				],
				[
					`a redirect of all to a login page of the site, ${name}`,
					way,
					{ redirect: `${start}-login` },
				],
				[
					`a redirect of all to another site, ${name}`,
					way,
					{ redirect: 'https://tidewatch.example/' },
				],
			],
		),
	)('is never taken for a site without pages: %s', async (_name, way, change) => {
		synced.handbook.open(9);
		await sync({ ...way });
		testBed.service.site.add({
			url: `${start}-login`,
			title: 'Login',
			markdown: 'Sign in to read on.',
			published: '2026-01-01T00:00:00.000Z',
		});
		synced.handbook.replaceAll(change);

		await calm(5, way);
	});

	it('changes no start page that stands alone with another text, and takes the next whole reading', async () => {
		const noSitemap = { additionalFields: { sitemap: 'skip' } };
		synced.handbook.open(5);
		const links = ['1', '2', '3', '4', '5'].map((name) => `[${name}](/handbook/${name})`).join(' ');
		testBed.service.site.update(start, { markdown: links });
		expect(await sync(noSitemap)).toHaveLength(6);
		testBed.service.site.update(start, { markdown: 'This domain is for sale.' });

		await calm(3, noSitemap);

		testBed.service.site.update(start, { markdown: `${links} Welcome back.` });
		expect(told(await sync(noSitemap))).toEqual([
			`delete changed ${start}`,
			`insert changed ${start}`,
		]);
	});

	it('comes back as it was', async () => {
		synced.handbook.open(9);
		await sync();
		synced.handbook.replaceAll({ status: 404 });
		const failed = await run();
		await run();
		synced.handbook.replaceAll({ status: undefined });

		expect(failed.error?.message).toMatch(
			/^No page of .*\/handbook could be scraped: the site returns an error for .*\/handbook/,
		);
		expect(await sync()).toEqual([]);
	});

	it('is said to be a login page where all pages become the same', async () => {
		synced.handbook.open(5);
		await sync();
		synced.handbook.replaceAll({ title: 'Sign in', markdown: 'Go [on](/login?next=1).' });

		const same = await run();

		expect(same.error?.message).toMatch(/^6 known pages of .* now have the same content/);
		expect(same.error?.description).toMatch(/is unchanged.*'Start Over'/);
	});

	it('is no reason to keep a page that is gone beside others that are there', async () => {
		synced.handbook.open(5);
		await sync();
		synced.handbook.fail('1', 404);
		synced.handbook.remove('2');
		synced.handbook.change('3', textOf('3', 2));

		expect(told(await sync())).toEqual([
			`delete removed ${addressOf('1')}`,
			expect.stringMatching(/^delete removed/),
			`delete changed ${addressOf('3')}`,
			`insert changed ${addressOf('3')}`,
		]);
	});

	it('counts a page that was not read once', async () => {
		synced.handbook.open(3);
		testBed.service.site.update(addressOf('1'), { redirect: addressOf('2') });
		synced.handbook.fail('2', 503);

		expect(hintsOf(await run())).toMatch(/\b1 failed/);
	});
});
