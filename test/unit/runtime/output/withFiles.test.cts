import type { IBinaryData } from 'n8n-workflow';
import type { HttpFunctions } from '../../../../nodes/runtime/http/client';
import { withFiles as withSpots } from '../../../../nodes/runtime/output/files';
import type { Result } from '../../../../nodes/runtime/execution/operation';
import { findFiles } from '../../../../nodes/WebData/documents/document';
import type { RequestContext } from '../../../../nodes/runtime/http/send';
import { errorSource, defaultPolicy } from '../../schemaAssertions.cjs';

type Answer = [status: number, content: string, type?: string];

/** Hosts of files: what each address answers, in turn, and what was asked. */
function hosts(answers: Record<string, Answer[]>) {
	const asked: string[] = [];
	const context = {
		getCredentials: async () => await Promise.resolve({}),
		helpers: {
			httpRequest: async ({ url }: { url: string }) => {
				const [statusCode, content, type] = answers[url][asked.filter((one) => one === url).length];
				asked.push(url);
				const headers = type === undefined ? {} : { 'content-type': type };
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

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

describe('A result with files', () => {
	it('has each as binary data, keeps links and removes contents', async () => {
		const { asked, requestContext } = hosts({
			'https://f.example/shot.png': [[200, 'PNG', 'image/png; charset=x']],
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

	it('is output with the reason if a file cannot be downloaded', async () => {
		const { requestContext } = hosts({
			'https://f.example/gone.mp3': [[404, '']],
			'https://f.example/shot.png': [[200, 'PNG', 'image/png']],
		});
		const json = { audio: 'https://f.example/gone.mp3', screenshot: 'https://f.example/shot.png' };
		const result = await withFiles({ json }, requestContext);
		expect(result.json).toEqual({
			...json,
			fileErrors: { audio: expect.stringMatching(/^f\.example: .*HTTP 404/) },
		});
		expect(Object.keys(result.binary ?? {})).toEqual(['screenshot']);
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

	it('reports the host and its status, without its message or the URL', async () => {
		const audio = 'https://f.example:81/a.mp3?signature=geheim';
		const { requestContext } = hosts({ [audio]: [[410, '{"error":"Words of a stranger"}']] });
		const { json } = await withFiles({ json: { audio } }, requestContext);
		expect(json.fileErrors).toEqual({
			audio: 'f.example:81: The host returned an error (HTTP 410) [item 0]',
		});
	});

	it('uses a private address only if the server is on one', async () => {
		const audio = 'http://10.0.0.7/a.mp3';
		const { asked, requestContext } = hosts({ [audio]: [[200, 'MP3']] });
		const { json } = await withFiles({ json: { audio } }, requestContext);
		expect(json.fileErrors).toEqual({
			audio: '10.0.0.7: Not sent: the address is private [item 0]',
		});
		expect(asked).toEqual([]);
		const near = { ...requestContext, inPrivateNetwork: true };
		const { binary } = await withFiles({ json: { audio } }, near);
		expect(binary?.audio.data).toBe('MP3');
	});

	describe('Foreign names and types', () => {
		it.each<[string, string]>([
			['image/png\r\nSet-Cookie: a=b', 'application/octet-stream'],
			['\u202eimage/png', 'application/octet-stream'],
			['image', 'application/octet-stream'],
			[`image/${'x'.repeat(200)}`, 'application/octet-stream'],
			['Image/PNG; charset=x', 'image/png'],
		])('are normalized: a download of type %j', async (given, mimeType) => {
			const audio = 'https://f.example/a';
			const { requestContext } = hosts({ [audio]: [[200, 'x', given]] });
			const { binary } = await withFiles({ json: { audio } }, requestContext);
			expect(binary?.audio.mimeType).toBe(mimeType);
		});

		it.each([
			['data:image/png\r\nx:y;base64,aGVsbG8=', 'application/octet-stream', undefined],
			['data:image/../../x;base64,aGVsbG8=', 'application/octet-stream', undefined],
			['data:IMAGE/png;base64,aGVsbG8=', 'image/png', 'screenshot.png'],
		])('are normalized: %j', async (screenshot, mimeType, fileName) => {
			const { requestContext } = hosts({});
			const { binary } = await withFiles({ json: { screenshot } }, requestContext);
			expect(binary?.screenshot).toMatchObject({ mimeType, fileName });
		});

		it('are normalized: the page itself', async () => {
			const metadata = { contentType: 'text/html\n\nx', url: 'https://a.example/x.pdf' };
			const { requestContext } = hosts({});
			const json = { rawBase64: 'aGVsbG8=', metadata };
			const { binary } = await withFiles({ json }, requestContext);
			const told = { mimeType: 'application/octet-stream', fileName: 'x.pdf' };
			expect(binary?.rawBase64).toMatchObject(told);
		});

		it('become distinct names of fields', async () => {
			const screenshot = 'data:image/png;base64,aGVsbG8=';
			const data = {
				'a b': [{ screenshot }],
				'a\r\nb': [{ screenshot }],
				['x'.repeat(99)]: [{ screenshot }],
			};
			const { requestContext } = hosts({});
			const { json, binary } = await withFiles({ json: { data } }, requestContext);
			const names = [
				'data_a_b_0_screenshot',
				'data_a__b_0_screenshot',
				`data_${'x'.repeat(40)}_0_screenshot`,
			];
			expect(Object.keys(binary ?? {})).toEqual(names);
			expect(json.data).toMatchObject({ 'a b': [{ screenshot: `see binary data '${names[0]}'` }] });
		});

		it('do not overwrite each other', async () => {
			const screenshot = 'data:image/png;base64,aGVsbG8=';
			const data = { 'a b': [{ screenshot }], 'a.b': [{ screenshot }] };
			const { requestContext } = hosts({});
			const { binary } = await withFiles({ json: { data } }, requestContext);
			const names = ['data_a_b_0_screenshot', 'data_a_b_0_screenshot_2'];
			expect(Object.keys(binary ?? {})).toEqual(names);
		});
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
