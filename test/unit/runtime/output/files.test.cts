import { fileNameOf, inlineFile, withoutContent } from '../../../../nodes/runtime/output/files';
import { fileSpots } from '../../../../nodes/WebData/documents/fileSpots';

const found = (json: Parameters<typeof fileSpots>[0]) =>
	fileSpots(json).map((spot) => [spot.name, spot.kind]);

const document = {
	url: 'https://a.example',
	markdown: 'https://not-a-file.example',
	screenshot: 'https://files.example/s.png',
	audio: 'https://files.example/a.mp3?sig=1',
	video: null,
	videos: ['https://files.example/v1.mp4', 'https://files.example/v2.mp4'],
	rawBase64: 'JVBERi0=',
	links: ['https://b.example'],
	images: ['https://b.example/i.png'],
	actions: {
		screenshots: ['https://files.example/1.png', 'data:image/jpeg;base64,AAAA'],
		pdfs: ['https://files.example/1.pdf'],
		scrapes: [{ url: 'https://a.example', html: '' }],
	},
};

describe('where files stand', () => {
	it('in a document', () => {
		expect(found(document)).toEqual([
			['screenshot', 'link'],
			['audio', 'link'],
			['rawBase64', 'base64'],
			['videos_0', 'link'],
			['videos_1', 'link'],
			['actions_screenshots_0', 'link'],
			['actions_screenshots_1', 'dataUri'],
			['actions_pdfs_0', 'link'],
		]);
	});

	it('in a whole response', () => {
		const body = {
			success: true,
			data: {
				web: [{ url: 'x' }, { screenshot: 'https://f.example/s.png' }],
				news: [{ audio: 'https://f.example/a.mp3' }],
			},
		};
		expect(found(body)).toEqual([
			['data_web_1_screenshot', 'link'],
			['data_news_0_audio', 'link'],
		]);
		expect(found({ success: true, data: { screenshot: 'data:image/png;base64,AA==' } })).toEqual([
			['data_screenshot', 'dataUri'],
		]);
		const job = { data: ['text', { url: 'x' }, { screenshot: 'https://f.example/s.png' }] };
		expect(found(job)).toEqual([['data_2_screenshot', 'link']]);
	});

	it.each([
		[{}],
		[{ screenshot: null }],
		[{ screenshot: '' }],
		[{ screenshot: 'no link' }],
		[{ screenshot: 'javascript:alert(1)' }],
		[{ screenshot: 'file:///etc/passwd' }],
		[{ screenshot: { url: 'https://f.example' } }],
		[{ videos: 'https://f.example' }],
		[{ actions: ['https://f.example'] }],
		[{ rawBase64: '' }],
	])('nowhere in %j', (json) => {
		expect(fileSpots(json)).toEqual([]);
	});
});

describe('a file inside the answer', () => {
	const inline = (json: object) => inlineFile(fileSpots({ ...json })[0]);
	const buffer = Buffer.from('hello');

	it.each<[string, object]>([
		['data:image/png;base64,aGVsbG8=', { mimeType: 'image/png', fileName: 'screenshot.png' }],
		['data:text/plain;charset=utf-8;base64,aGVsbG8=', { mimeType: 'text/plain' }],
		['DATA:image/jpeg;BASE64,aGVsbG8=', { mimeType: 'image/jpeg', fileName: 'screenshot.jpeg' }],
	])('has the type and a name from %s', (screenshot, told) => {
		expect(inline({ screenshot })).toMatchObject({ buffer, ...told });
	});

	it('has the name of the place where it stood in the whole response', () => {
		const pdfs = ['data:application/pdf;base64,aGVsbG8='];
		expect(inline({ data: { actions: { pdfs } } }).fileName).toBe('data_actions_pdfs_0.pdf');
	});

	it('has neither when its data URI tells none', () => {
		const { mimeType, fileName, ...rest } = inline({ screenshot: 'data:;base64,aGVsbG8=' });
		expect(rest).toEqual({ buffer });
		expect([mimeType || undefined, fileName || undefined]).toEqual([undefined, undefined]);
	});

	it.each<[object, object]>([
		[{}, {}],
		[{ metadata: null }, {}],
		[
			{
				metadata: {
					contentType: 'application/pdf; charset=x',
					url: 'https://a.example/b/c.pdf?d=1',
				},
			},
			{ mimeType: 'application/pdf', fileName: 'c.pdf' },
		],
		[{ metadata: { sourceURL: 'https://a.example/c.docx' } }, { fileName: 'c.docx' }],
		[
			{ metadata: { url: 'https://a.example/', sourceURL: 'https://a.example/c.pdf' } },
			{ fileName: undefined },
		],
		[{ metadata: { contentType: ['application/pdf'], url: 5 } }, {}],
	])('is the page itself as base64, with what is known of the page: %j', (document, told) => {
		expect(inline({ rawBase64: 'aGVsbG8=', ...document })).toEqual({ buffer, ...told });
	});

	it('leaves a short mark in the JSON; links stay', () => {
		const json = {
			data: {
				web: [{ rawBase64: 'aGVsbG8=', title: 'T' }, { screenshot: 'https://f.example/s.png' }],
			},
		};
		const before = structuredClone(json);
		const rest = fileSpots(json).reduce(withoutContent, json);
		expect(rest).toEqual({
			data: {
				web: [
					{ rawBase64: `see binary data 'data_web_0_rawBase64'`, title: 'T' },
					json.data.web[1],
				],
			},
		});
		expect(json).toEqual(before);
	});
});

describe('the name of a file', () => {
	it.each([
		['https://f.example/a/report.pdf', 'report.pdf'],
		['https://f.example/a/report.pdf?sig=1.2#x', 'report.pdf'],
		['https://f.example/a/clip.mp4', 'clip.mp4'],
		['https://f.example/a/', undefined],
		['https://f.example', undefined],
		['https://f.example/download', undefined],
		['no address', undefined],
	])('of %s is %s', (url, name) => {
		expect(fileNameOf(url)).toBe(name);
	});
});
