import { Readable } from 'node:stream';
import type { IBinaryData, IDataObject } from 'n8n-workflow';
import type { HttpFunctions } from '../../../../nodes/runtime/http/client';
import {
	fileNameOf,
	fileOf,
	inlineFile,
	knownSize,
	plainFileName,
	plainMimeType,
	withFiles as withSpots,
	withoutContent,
} from '../../../../nodes/runtime/execution/files';
import type { Result } from '../../../../nodes/runtime/operation';
import { findFiles } from '../../../../nodes/WebData/documents/document';
import type { RequestContext } from '../../../../nodes/runtime/http/send';
import { errorSource, defaultPolicy } from '../../schemaAssertions.cjs';

describe('A foreign file name', () => {
	it.each<[string, string | undefined]>([
		['fees.pdf', 'fees.pdf'],
		['Gebühren 2026 (neu).pdf', 'Gebühren 2026 (neu).pdf'],
		['../../etc/passwd', 'passwd'],
		['C:\\fees\\a.pdf', 'a.pdf'],
		['a\r\nSet-Cookie: b.pdf', 'a Set-Cookie: b.pdf'],
		['invoice\u202efdp.exe', 'invoicefdp.exe'],
		['a\u0000b\u200b\u2066.pdf', 'ab.pdf'],
		['a\ud800.pdf', 'a.pdf'],
		['..', undefined],
		['.', undefined],
		['', undefined],
		[' \n ', undefined],
		['a/', undefined],
		[`${'x'.repeat(300)}.html`, `${'x'.repeat(195)}.html`],
		['x'.repeat(300), 'x'.repeat(200)],
		[`a.${'x'.repeat(300)}`, 'x'.repeat(200)],
		[`a😀${'x'.repeat(199)}`, `😀${'x'.repeat(199)}`],
	])('is normalized: %j becomes %j', (given, name) => {
		expect(plainFileName(given)).toBe(name);
	});
});

describe('A foreign MIME type', () => {
	it.each<[unknown, string | undefined]>([
		['image/png', 'image/png'],
		['Image/PNG ; charset=x', 'image/png'],
		['image/svg+xml', 'image/svg+xml'],
		[
			'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
			'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
		],
		['', undefined],
		[undefined, undefined],
		[['text/html'], undefined],
		['png', 'application/octet-stream'],
		['image/png\nx', 'application/octet-stream'],
		['image/p ng', 'application/octet-stream'],
		[`image/${'x'.repeat(128)}`, 'application/octet-stream'],
	])('is normalized: %j becomes %j', (given, type) => {
		expect(plainMimeType(given)).toBe(type);
	});
});

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
		[
			'data:image/png\r\nx:y;base64,aGVsbG8=',
			{ mimeType: 'application/octet-stream', fileName: undefined },
		],
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

it.each([
	['https://f.example/a/report.pdf?sig=1.2#x', 'report.pdf'],
	['https://f.example/Geb%C3%BChren%202026.pdf', 'Gebühren 2026.pdf'],
	['https://f.example/%E4.pdf', '%E4.pdf'],
	['https://f.example/a%2F..%2Fb.pdf', 'b.pdf'],
	['https://f.example/a/', undefined],
	['https://f.example/download', undefined],
	['no address', undefined],
])('The file name of %s is %s', (url, name) => {
	expect(fileNameOf(url)).toBe(name);
});

type Answer = [status: number, content: string, type?: string, disposition?: string];

/** Hosts of files: what each address answers, in turn, and what was asked. */
function hosts(answers: Record<string, Answer[]>) {
	const asked: string[] = [];
	const context = {
		getCredentials: async () => await Promise.resolve({}),
		helpers: {
			httpRequest: async ({ url }: { url: string }) => {
				const before = asked.filter((one) => one === url).length;
				const [statusCode, content, type, disposition] = answers[url][before];
				asked.push(url);
				const headers = {
					...(type !== undefined && { 'content-type': type }),
					...(disposition !== undefined && { 'content-disposition': disposition }),
				};
				return await Promise.resolve({ statusCode, headers, body: Buffer.from(content) });
			},
		},
	} as unknown as HttpFunctions;
	const requestContext: RequestContext = {
		context,
		errorSource: errorSource(),
		policy: { ...defaultPolicy, maxAttempts: 2, backOffCap: 1000, budget: 60_000 },
	};
	return { asked, requestContext };
}

const helpers = {
	prepareBinaryData: async (
		data: Buffer,
		fileName?: string,
		mimeType = 'unknown',
	): Promise<IBinaryData> => await Promise.resolve({ data: data.toString(), fileName, mimeType }),
} as unknown as Parameters<typeof withSpots>[2];

/** A result with its files, once all of them were asked for. */
async function withFiles(result: Result, requestContext: RequestContext) {
	const done = withSpots(result, findFiles(result.json), helpers, requestContext);
	await jest.runAllTimersAsync();
	return await done;
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('A result with files', () => {
	it('has each as binary data, keeps links and removes contents', async () => {
		const { asked, requestContext } = hosts({
			'https://f.example/shot.png': [[200, 'PNG', 'Image/PNG; charset=x']],
			'https://f.example/1.pdf?sig=1': [[200, 'PDF']],
		});
		const json = {
			title: 'T',
			screenshot: 'https://f.example/shot.png',
			rawBase64: Buffer.from('raw').toString('base64'),
			actions: { pdfs: ['https://f.example/1.pdf?sig=1'] },
		};
		const binary = { kept: { data: 'x', mimeType: 'text/plain' } };
		expect(await withFiles({ json, binary }, requestContext)).toEqual({
			json: { ...json, rawBase64: `see binary data 'rawBase64'` },
			binary: {
				...binary,
				screenshot: { data: 'PNG', fileName: 'shot.png', mimeType: 'image/png' },
				rawBase64: { data: 'raw', fileName: undefined, mimeType: 'unknown' },
				actions_pdfs_0: { data: 'PDF', fileName: '1.pdf', mimeType: 'unknown' },
			},
		});
		expect(asked).toEqual(['https://f.example/shot.png', 'https://f.example/1.pdf?sig=1']);
	});

	it.each([
		['attachment; filename="fees 2026.pdf"', 'fees 2026.pdf'],
		['attachment; filename=fees.pdf; size=3', 'fees.pdf'],
		['inline; filename="x.pdf"; filename*=UTF-8\'\'Geb%C3%BChren.pdf', 'Gebühren.pdf'],
		['attachment; filename="../../etc/passwd"', 'passwd'],
		['attachment', '1.pdf'],
	])('has the name that the host gives: %s', async (disposition, name) => {
		const pdf = 'https://f.example/1.pdf';
		const { requestContext } = hosts({ [pdf]: [[200, 'PDF', 'application/pdf', disposition]] });
		const { binary } = await withFiles({ json: { actions: { pdfs: [pdf] } } }, requestContext);
		expect(binary?.actions_pdfs_0.fileName).toBe(name);
	});

	it.each<[Answer, RegExp]>([
		[[200, '', 'image/png'], /^f\.example: the host returned an empty file$/],
		[[200, '<html>', 'text/html; charset=utf-8'], /^f\.example: .*an HTML page instead/],
	])('is output with a note in the place of what is no file: %j', async (answer, words) => {
		const screenshot = 'https://f.example/shot.png';
		const { requestContext } = hosts({ [screenshot]: [answer] });
		const { json, binary } = await withFiles({ json: { screenshot } }, requestContext);
		expect(json).toEqual({ screenshot, fileErrors: { screenshot: expect.stringMatching(words) } });
		expect(binary).toEqual({});
	});

	it("retries a temporary failure of the file's host", async () => {
		const audio = 'https://f.example/a.mp3';
		const answers: Answer[] = [
			[503, ''],
			[200, 'MP3'],
		];
		const { asked, requestContext } = hosts({ [audio]: answers });
		const { json, binary } = await withFiles({ json: { audio } }, requestContext);
		expect(asked).toHaveLength(2);
		expect(json.fileErrors).toBeUndefined();
		expect(binary?.audio.data).toBe('MP3');
	});

	it('is output with the host and status of a failure, without its message or the URL', async () => {
		const audio = 'https://f.example:81/a.mp3?signature=geheim';
		const screenshot = 'https://f.example/shot.png';
		const { requestContext } = hosts({
			[audio]: [[410, '{"error":"Words of a stranger"}']],
			[screenshot]: [[200, 'PNG', 'image/png']],
		});
		const { json, binary } = await withFiles({ json: { audio, screenshot } }, requestContext);
		expect(json).toEqual({
			audio,
			screenshot,
			fileErrors: { audio: 'f.example:81: The host did not return the file (HTTP 410)' },
		});
		expect(Object.keys(binary ?? {})).toEqual(['screenshot']);
	});

	it('uses a private address only if the server is on one', async () => {
		const audio = 'http://10.0.0.7/a.mp3';
		const { asked, requestContext } = hosts({ [audio]: [[200, 'MP3']] });
		const { json } = await withFiles({ json: { audio } }, requestContext);
		expect(json.fileErrors).toEqual({ audio: '10.0.0.7: Not sent: the address is private' });
		expect(asked).toEqual([]);
		const near = { ...requestContext, inPrivateNetwork: true };
		const { binary } = await withFiles({ json: { audio } }, near);
		expect(binary?.audio.data).toBe('MP3');
	});

	it('has distinct names of binary fields, which overwrite no other', async () => {
		const screenshot = 'data:image/png;base64,aGVsbG8=';
		const fields = ['a b', 'a.b', 'a\r\nb', 'x'.repeat(99)];
		const data = Object.fromEntries(fields.map((name) => [name, [{ screenshot }]]));
		const { json, binary } = await withFiles({ json: { data } }, hosts({}).requestContext);
		const names = [
			'data_a_b_0_screenshot',
			'data_a_b_0_screenshot_2',
			'data_a__b_0_screenshot',
			`data_${'x'.repeat(40)}_0_screenshot`,
		];
		expect(Object.keys(binary ?? {})).toEqual(names);
		expect(json.data).toMatchObject({ 'a b': [{ screenshot: `see binary data '${names[0]}'` }] });
	});

	it('is limited to a hundred files, reports the others and keeps their links', async () => {
		const videos = Array.from({ length: 103 }, (_, index) => `https://f.example/${index}.mp4`);
		const answers = Object.fromEntries(
			videos.map((url): [string, Answer[]] => [url, [[200, 'x']]]),
		);
		const { asked, requestContext } = hosts(answers);
		const { json, binary } = await withFiles({ json: { videos } }, requestContext);
		expect(asked).toEqual(videos.slice(0, 100));
		expect(Object.keys(binary ?? {})).toHaveLength(100);
		expect(json).toEqual({
			videos,
			fileErrors: { others: expect.stringMatching(/^3 files .*100 files per result/) },
		});
	});
});

describe('An input file', () => {
	const text = 'high tide at six';
	const inMemory: IBinaryData = {
		data: Buffer.from(text).toString('base64'),
		mimeType: 'text/html',
		fileName: 'fees.html',
	};
	const onDisk: IBinaryData = { ...inMemory, data: 'filesystem-v2', id: 'filesystem-v2:a' };
	const storage = {
		getBinaryMetadata: async (id: string) => {
			if (id !== onDisk.id) throw new Error('File not found');
			return await Promise.resolve({ fileSize: text.length });
		},
		getBinaryStream: async () => await Promise.resolve(Readable.from([Buffer.from(text)])),
		binaryToBuffer: async () => await Promise.resolve(Buffer.from(text)),
	};

	beforeEach(() => jest.useRealTimers());

	it.each([
		['in memory', inMemory],
		['on disk', onDisk],
	])('is read: %s', async (_place, data) => {
		const file = await fileOf(data, storage);
		expect([file.name, file.type, await file.text()]).toEqual(['fees.html', 'text/html', text]);
		const { name } = await fileOf({ ...data, fileName: '../a\r\nb\u202e.html' }, storage);
		expect(name).toBe('a b.html');
		expect((await fileOf({ ...data, fileName: undefined }, storage)).name).toBe('file');
	});

	it.each<[Partial<IBinaryData>, number | undefined]>([
		[{ bytes: 7 }, 7],
		[{ bytes: 0 }, 0],
		[{}, text.length],
		[{ data: 'eHk=' }, 2],
		[{ data: 'eA==' }, 1],
		[{ data: 'eHl6' }, 3],
		[{ data: 'eA' }, 1],
		[{ data: 'filesystem-v2', id: 'a' }, undefined],
	])('with %j has the known size %s', (change, size) => {
		expect(knownSize({ ...inMemory, ...change })).toBe(size);
	});
});
