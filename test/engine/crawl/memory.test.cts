import { measure } from '../measuredProcess.cjs';
import { useTestBed } from '../testBed.cjs';

/** How many pages of 200 kB; the full measure is 2000. Of much fewer, garbage not yet collected is a large part. */
const pages = Number(process.env.CRAWL_MEMORY_PAGES ?? 1000);
const bytes = 200_000;

jest.setTimeout(120_000);

describe('the memory of a crawl', () => {
	const testBed = useTestBed();

	it('stays below twice the size of what it reads', async () => {
		testBed.service.site.addMany(pages, bytes);
		testBed.service.context.pageJobs.set({ pageMs: 0 });
		const { credentials } = testBed.account({ credits: 10 * pages });
		const crawl = (limit: number) => ({
			resource: 'crawl',
			operation: 'run',
			url: 'https://bulk.example/',
			limit,
			additionalFields: { sitemap: 'only' },
		});

		const measured = await measure({
			credentials: { ...credentials },
			warmUp: crawl(60),
			parameters: crawl(pages + 1),
		});

		expect(measured.error).toBeUndefined();
		expect(measured.items).toBe(pages + 1);
		expect(measured.size).toBeGreaterThan(pages * (bytes - 100));
		const { size, baseline, peak } = measured;
		if (process.env.CRAWL_MEMORY_PAGES !== undefined) {
			console.log([size, baseline, peak].map((each) => `${Math.round(each / 1e6)} MB`).join(', '));
		}
		expect((peak - baseline) / size).toBeLessThan(2);
	});
});
