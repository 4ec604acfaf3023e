import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

const values = (...entries: INodeParameters[]): INodeParameters => ({ values: entries });
const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const options = { downloadFiles: true };
const tides = 'https://tidewatch.example/guides/spring-tides';
const video = 'https://emberroast.example/brewing/temperature';

const fees = 'https://portoffice.example/documents/harbour-fees.pdf';
const pdf = Buffer.from('%PDF-');
const take = (type: string) => ({ url: tides, actions: values({ type }) });
const aloud = (type: string) => ({ url: video, formats: [type] });

/** What is set, and the field, type, name and first bytes of its file. */
const cases: Array<[INodeParameters, string, string, string, Buffer]> = [
	[{ url: tides, formats: ['screenshot'] }, 'screenshot', 'image/png', 'screenshot.png', png],
	[take('screenshot'), 'actions_screenshots_0', 'image/png', 'screenshot.png', png],
	[take('pdf'), 'actions_pdfs_0', 'application/pdf', 'page.pdf', pdf],
	[aloud('audio'), 'audio', 'audio/mpeg', 'audio.mp3', Buffer.from([0xff, 0xfb])],
	[aloud('video'), 'video', 'video/mp4', 'video.mp4', Buffer.from([0, 0, 0])],
	[{ url: fees, formats: ['rawBase64'] }, 'rawBase64', 'application/pdf', 'harbour-fees.pdf', pdf],
	[
		{ url: fees, additionalFields: { requestJson: '{"parsers": []}' } },
		'markdown',
		'application/pdf',
		'harbour-fees.pdf',
		pdf,
	],
];

/** Screenshots, PDFs, sound and the like of a page as binary data. */
describe('the files of a page', () => {
	const testBed = useTestBed();
	const downloads = () =>
		testBed.service.log.entries.filter(({ path }) => path.startsWith('/_files/'));

	it.each(cases)(
		'of %j are binary data with type and name: %s',
		async (set, field, mimeType, fileName, begins) => {
			const run = await testBed.run('page', 'scrape', { ...set, options });

			const [item] = run.output();
			expect(Object.keys(item.binary ?? {})).toEqual([field]);
			expect(item.binary?.[field]).toMatchObject({ mimeType, fileName });
			const content = await testBed.engine.binary(item, field);
			expect(content.subarray(0, begins.length)).toEqual(begins);
			expect(item.json).not.toHaveProperty('fileErrors');
			for (const { authorization } of downloads()) expect(authorization).toBe(false);
		},
	);

	it('are left alone unless the user wants them, whole responses or not', async () => {
		const set = { url: tides, formats: ['screenshot'] };
		const scrape = async (own: INodeParameters) =>
			(await testBed.run('page', 'scrape', { ...set, options: own })).output()[0].binary;

		expect(await scrape({})).toBeUndefined();
		expect(downloads()).toEqual([]);
		expect(await scrape({ ...options, output: 'raw' })).toMatchObject({
			data_screenshot: { mimeType: 'image/png' },
		});
	});

	it('are fetched of fields that are not kept, too', async () => {
		const own = { ...options, output: 'fields', outputFields: 'title' };
		const run = await testBed.run('page', 'scrape', {
			url: tides,
			formats: ['screenshot'],
			options: own,
		});

		const [{ json, binary }] = run.output();
		expect(Object.keys(json)).toEqual(['title']);
		expect(binary).toMatchObject({ screenshot: { mimeType: 'image/png' } });
	});

	it('that are gone leave their page in place, and a note of the reason', async () => {
		const account = testBed.account();
		const first = await testBed.run('page', 'scrape', aloud('video'), { account });
		const jobId = String(first.output()[0].json.scrapeId);
		testBed.service.context.files.clear();

		const run = await testBed.run('page', 'get', { jobId, options }, { account });

		const [{ json, binary }] = run.output();
		expect(run.status).toBe('success');
		expect(json.video).toMatch(/^http/);
		expect(json.fileErrors).toEqual({ video: expect.stringMatching(/127\.0\.0\.1.*HTTP 4/) });
		expect(binary ?? {}).toEqual({});
		expect(run.hints()).toMatchObject([{ message: expect.stringContaining('fileErrors') }]);
	});
});
