import { inMemory } from '../file/inputFiles.cjs';
import { useTestBed } from '../testBed.cjs';

/** What the service responds with, as it is. */
describe('the whole response', () => {
	const testBed = useTestBed();
	const url = 'https://tidewatch.example/guides/spring-tides';
	const whole = { options: { output: 'raw' } };
	const body = {
		success: true,
		data: expect.objectContaining({
			markdown: expect.stringContaining('tide') as string,
			metadata: expect.objectContaining({ statusCode: 200 }) as object,
		}) as object,
	};

	it('is one item of Scrape and of Get', async () => {
		const account = testBed.account();

		const scraped = await testBed.run('page', 'scrape', { url, ...whole }, { account });
		const [{ json }] = scraped.output();
		const { metadata } = json.data as { metadata: { scrapeId: string } };
		const jobId = metadata.scrapeId;
		const again = await testBed.run('page', 'get', { jobId, ...whole }, { account });

		expect(json).toEqual(body);
		expect(again.output()).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	it('is one item of Parse', async () => {
		const html = '<h1>The spring tide</h1>';
		const binary = { data: inMemory('tide.html', 'text/html', html) };

		const run = await testBed.run('file', 'parse', whole, { input: [{ json: {}, binary }] });

		expect(run.output().map(({ json }) => json)).toEqual([body]);
	});

	it('comes with its files', async () => {
		const run = await testBed.run('page', 'scrape', {
			url,
			...whole,
			formats: ['markdown', 'screenshot'],
			options: { downloadFiles: true },
		});

		const [{ binary }] = run.output();
		expect(Object.values(binary ?? {})).toEqual([
			expect.objectContaining({ mimeType: 'image/png' }),
		]);
	});
});
