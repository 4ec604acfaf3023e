import type { IBinaryData } from 'n8n-workflow';
import type { HttpContext } from '../../../nodes/runtime/client';
import { withFiles } from '../../../nodes/runtime/files';
import type { Line } from '../../../nodes/runtime/send';
import { place, usualPolicy } from '../verdict.cjs';

/** Hosts of files: what each address answers, in turn, and what was asked. */
function hosts(answers: Record<string, Array<[status: number, content: string, type?: string]>>) {
	const asked: string[] = [];
	const context = {
		helpers: {
			httpRequest: async ({ url }: { url: string }) => {
				const [statusCode, content, type] = answers[url][asked.filter((one) => one === url).length];
				asked.push(url);
				const headers = type === undefined ? {} : { 'content-type': type };
				return await Promise.resolve({ statusCode, headers, body: Buffer.from(content) });
			},
		},
	} as unknown as HttpContext;
	const line: Line = {
		context,
		place: place(),
		policy: { ...usualPolicy, maxTries: 2, backOffCap: 1000, budget: 60_000 },
	};
	return { asked, line };
}

const helpers = {
	prepareBinaryData: async (
		data: Buffer,
		fileName?: string,
		mimeType = 'unknown',
	): Promise<IBinaryData> => await Promise.resolve({ data: data.toString(), fileName, mimeType }),
} as unknown as Parameters<typeof withFiles>[1];

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

async function settled<Value>(promise: Promise<Value>): Promise<Value> {
	await jest.runAllTimersAsync();
	return await promise;
}

describe('a result with its files', () => {
	it('has each as binary data, links left in place and contents taken out', async () => {
		const { asked, line } = hosts({
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
		expect(await settled(withFiles({ json, binary }, helpers, line, 100))).toEqual({
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

	it('stays when a file cannot be had, and says why', async () => {
		const { line } = hosts({
			'https://f.example/gone.mp3': [[404, '']],
			'https://f.example/shot.png': [[200, 'PNG', 'image/png']],
		});
		const json = { audio: 'https://f.example/gone.mp3', screenshot: 'https://f.example/shot.png' };
		const result = await settled(withFiles({ json }, helpers, line, 100));
		expect(result.json).toEqual({
			...json,
			fileErrors: { audio: expect.stringMatching(/^f\.example: .*HTTP 404/) },
		});
		expect(Object.keys(result.binary ?? {})).toEqual(['screenshot']);
	});

	it('asks again for a file whose host fails for a moment', async () => {
		const { asked, line } = hosts({
			'https://f.example/a.mp3': [
				[503, ''],
				[200, 'MP3'],
			],
		});
		const { json, binary } = await settled(
			withFiles({ json: { audio: 'https://f.example/a.mp3' } }, helpers, line, 100),
		);
		expect(asked).toHaveLength(2);
		expect(json.fileErrors).toBeUndefined();
		expect(binary?.audio.data).toBe('MP3');
	});

	it.each([
		['{"error":"Link expired"}', /^f\.example:81: Link expired \(HTTP 410\)/],
		['<title>Gone</title>', /^f\.example:81: Gone \(HTTP 410\)/],
	])('names the host and carries its words: %s', async (content, words) => {
		const audio = 'https://f.example:81/a.mp3?signature=geheim';
		const { line } = hosts({ [audio]: [[410, content]] });
		const { json } = await settled(withFiles({ json: { audio } }, helpers, line, 100));
		expect(json.fileErrors).toEqual({ audio: expect.stringMatching(words) });
		expect(JSON.stringify(json.fileErrors)).not.toContain('geheim');
	});
});
