import type { IDataObject } from 'n8n-workflow';
import { fileNameOf, inlineFile, withoutContent } from '../../../../nodes/runtime/output/files';
import { findFiles } from '../../../../nodes/WebData/documents/document';

const found = (json: Parameters<typeof findFiles>[0]) =>
	findFiles(json).map((spot) => [spot.name, spot.kind]);

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

describe('Files', () => {
	it('are found in a document', () => {
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

	it('are found in a whole response', () => {
		const pictured = { screenshot: 'https://f.example/s.png' };
		const web = [{ url: 'x' }, pictured];
		expect(found({ data: { web, news: [{ audio: 'https://f.example/a.mp3' }] } })).toEqual([
			['data_web_1_screenshot', 'link'],
			['data_news_0_audio', 'link'],
		]);
		const scrape = { data: { screenshot: 'data:image/png;base64,AA==' } };
		expect(found(scrape)).toEqual([['data_screenshot', 'dataUri']]);
		const job = { data: ['text', { url: 'x' }, pictured] };
		expect(found(job)).toEqual([['data_2_screenshot', 'link']]);
	});

	const noLinks = [null, '', 'no link', 'javascript:alert(1)', 'file:///etc/passwd'];

	it.each<[IDataObject]>([
		[{}],
		...noLinks.map((screenshot): [IDataObject] => [{ screenshot }]),
		[{ screenshot: { url: 'https://f.example' } }],
		[{ videos: 'https://f.example' }],
		[{ actions: ['https://f.example'] }],
		[{ rawBase64: '' }],
	])('are not found in %j', (json) => {
		expect(findFiles(json)).toEqual([]);
	});
});

describe('A file inside the response', () => {
	const inline = (json: object) => inlineFile(findFiles({ ...json })[0]);
	const buffer = Buffer.from('hello');

	it.each<[string, object]>([
		['data:image/png;base64,aGVsbG8=', { mimeType: 'image/png', fileName: 'screenshot.png' }],
		['data:text/plain;charset=utf-8;base64,aGVsbG8=', { mimeType: 'text/plain' }],
		['DATA:image/jpeg;BASE64,aGVsbG8=', { mimeType: 'image/jpeg', fileName: 'screenshot.jpeg' }],
	])('has the type and a name from %s', (screenshot, told) => {
		expect(inline({ screenshot })).toMatchObject({ buffer, ...told });
	});

	it('is named after its path in the whole response', () => {
		const pdfs = ['data:application/pdf;base64,aGVsbG8='];
		expect(inline({ data: { actions: { pdfs } } }).fileName).toBe('data_actions_pdfs_0.pdf');
	});

	it('has neither if its data URI has none', () => {
		const { mimeType, fileName, ...rest } = inline({ screenshot: 'data:;base64,aGVsbG8=' });
		expect(rest).toEqual({ buffer });
		expect([mimeType || undefined, fileName || undefined]).toEqual([undefined, undefined]);
	});

	it.each<[unknown, object]>([
		[undefined, {}],
		[null, {}],
		[
			{ contentType: 'application/pdf; charset=x', url: 'https://a.example/b/c.pdf?d=1' },
			{ mimeType: 'application/pdf', fileName: 'c.pdf' },
		],
		[{ sourceURL: 'https://a.example/c.docx' }, { fileName: 'c.docx' }],
		[{ url: 'https://a.example/', sourceURL: 'https://a.example/c.pdf' }, { fileName: undefined }],
		[{ contentType: ['application/pdf'], url: 5 }, {}],
	])('is the page as base64, with its metadata: %j', (metadata, told) => {
		expect(inline({ rawBase64: 'aGVsbG8=', metadata })).toEqual({ buffer, ...told });
	});

	it('is replaced by a note in the JSON, unlike a link', () => {
		const pictured = { screenshot: 'https://f.example/s.png' };
		const json = { data: { web: [{ rawBase64: 'aGVsbG8=', title: 'T' }, pictured] } };
		const before = structuredClone(json);
		const rest = findFiles(json).reduce(withoutContent, json);
		const marked = { rawBase64: `see binary data 'data_web_0_rawBase64'`, title: 'T' };
		expect(rest).toEqual({ data: { web: [marked, pictured] } });
		expect(json).toEqual(before);
	});
});

describe('The file name', () => {
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
