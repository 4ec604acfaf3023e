import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

const values = (...entries: INodeParameters[]): INodeParameters => ({ values: entries });
const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const options = { downloadFiles: true };
const tides = 'https://tidewatch.example/guides/spring-tides';
const video = 'https://emberroast.example/brewing/temperature';

interface Case {
	set: INodeParameters;
	field: string;
	mimeType: string;
	fileName: string;
	/** The first bytes of such a file. */
	begins: Buffer;
}

const cases: Record<string, Case> = {
	'a screenshot': {
		set: { url: tides, formats: ['screenshot'] },
		field: 'screenshot',
		mimeType: 'image/png',
		fileName: 'screenshot.png',
		begins: png,
	},
	'a screenshot by an action': {
		set: { url: tides, actions: values({ type: 'screenshot' }) },
		field: 'actions_screenshots_0',
		mimeType: 'image/png',
		fileName: 'screenshot.png',
		begins: png,
	},
	'a PDF by an action': {
		set: { url: tides, actions: values({ type: 'pdf' }) },
		field: 'actions_pdfs_0',
		mimeType: 'application/pdf',
		fileName: 'page.pdf',
		begins: Buffer.from('%PDF-'),
	},
	audio: {
		set: { url: video, formats: ['audio'] },
		field: 'audio',
		mimeType: 'audio/mpeg',
		fileName: 'audio.mp3',
		begins: Buffer.from([0xff, 0xfb]),
	},
	video: {
		set: { url: video, formats: ['video'] },
		field: 'video',
		mimeType: 'video/mp4',
		fileName: 'video.mp4',
		begins: Buffer.from([0, 0, 0]),
	},
	'the document itself': {
		set: {
			url: 'https://portoffice.example/documents/harbour-fees.pdf',
			formats: ['rawBase64'],
		},
		field: 'rawBase64',
		mimeType: 'application/pdf',
		fileName: 'harbour-fees.pdf',
		begins: Buffer.from('%PDF-'),
	},
	'a PDF that is not parsed': {
		set: {
			url: 'https://portoffice.example/documents/harbour-fees.pdf',
			additionalFields: { requestJson: '{"parsers": []}' },
		},
		field: 'markdown',
		mimeType: 'application/pdf',
		fileName: 'harbour-fees.pdf',
		begins: Buffer.from('%PDF-'),
	},
};

/** Screenshots, PDFs, sound and the like of a page as binary data. */
describe('the files of a page', () => {
	const testBed = useTestBed();
	const downloads = () =>
		testBed.service.log.entries.filter(({ path }) => path.startsWith('/_files/'));

	it.each(Object.entries(cases))(
		'are binary data with type and name: %s',
		async (_name, { set, field, mimeType, fileName, begins }) => {
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

	it('are left alone unless the user wants them', async () => {
		const run = await testBed.run('page', 'scrape', cases['a screenshot'].set);

		expect(run.output()[0].binary).toBeUndefined();
		expect(downloads()).toEqual([]);
	});

	it('that are gone leave their page in place, and a note of the reason', async () => {
		const account = testBed.account();
		const { set } = cases.video;
		const first = await testBed.run('page', 'scrape', set, { account });
		const { scrapeId: jobId } = first.output()[0].json.metadata as { scrapeId: string };
		await testBed.service.clock.advance(2 * 3_600_000);

		const run = await testBed.run('page', 'get', { jobId, options }, { account });

		const [{ json, binary }] = run.output();
		expect(run.status).toBe('success');
		expect(json.video).toMatch(/^http/);
		expect(json.fileErrors).toEqual({ video: expect.stringMatching(/127\.0\.0\.1.*HTTP 4/) });
		expect(binary ?? {}).toEqual({});
		expect(run.hints()).toMatchObject([{ message: expect.stringContaining('fileErrors') }]);
	});
});
