import type { INodeParameters } from 'n8n-workflow';

import { startForeignHost } from '../../mock-server/loopback.cjs';
import { useTestBed } from '../testBed.cjs';

/** Screenshots and the like as binary data. */
describe('the files of a search', () => {
	const testBed = useTestBed();
	const withFormats = (...types: string[]): INodeParameters => ({
		query: 'tide',
		limit: 1,
		readPages: true,
		formats: types,
		outputOptions: { downloadFiles: true },
	});
	const files = () => testBed.service.log.entries.filter(({ path }) => path.startsWith('/_files/'));
	const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

	it('are left alone unless the user wants them', async () => {
		const run = await testBed.search({ ...withFormats('screenshot'), outputOptions: {} });

		const [item] = run.output();
		expect(item.json.screenshot).toMatch(/^http/);
		expect(item.binary).toBeUndefined();
		expect(files()).toEqual([]);
	});

	it('are downloaded from their links, without the key', async () => {
		const account = testBed.account();

		const run = await testBed.search(withFormats('screenshot', 'markdown'), { account });

		const [item] = run.output();
		expect(item.binary?.screenshot).toMatchObject({
			mimeType: 'image/png',
			fileName: 'screenshot.png',
			fileExtension: 'png',
		});
		const content = await testBed.engine.binary(item, 'screenshot');
		expect(content.subarray(0, 8)).toEqual(png);
		expect(item.json.screenshot).toMatch(/^http/);
		expect(item.json.markdown).toEqual(expect.any(String));
		expect(item.json).not.toHaveProperty('fileErrors');
		expect(item.pairedItem).toEqual({ item: 0 });
		const [request, ...more] = files();
		expect(more).toEqual([]);
		expect(request.authorization).toBe(false);
		expect(JSON.stringify([request.headers, request.query])).not.toContain(account.key);
	});

	it('are downloaded for every result', async () => {
		const run = await testBed.search({ ...withFormats('screenshot'), limit: 4 });

		expect(run.output()).toHaveLength(4);
		for (const item of run.output()) expect(item.binary?.screenshot?.mimeType).toBe('image/png');
	});

	it('are what actions made, too', async () => {
		const run = await testBed.search({
			...withFormats('markdown'),
			actions: { values: [{ type: 'screenshot' }, { type: 'pdf' }] },
		});

		const [item] = run.output();
		const pdf = await testBed.engine.binary(item, 'actions_pdfs_0');
		const picture = await testBed.engine.binary(item, 'actions_screenshots_0');
		expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
		expect(picture.subarray(0, 8)).toEqual(png);
		expect(item.binary?.actions_pdfs_0?.mimeType).toBe('application/pdf');
	});

	it('are data URIs, as self-hosted servers answer, and leave the JSON', async () => {
		const content = Buffer.concat([png, Buffer.from('picture')]);
		testBed.service.faults.add({
			kind: 'status',
			status: 200,
			body: {
				success: true,
				data: {
					web: [
						{
							url: 'https://a.example/',
							title: 'A',
							screenshot: `data:image/png;base64,${content.toString('base64')}`,
						},
					],
				},
				id: 'job-1',
				creditsUsed: 1,
			},
		});

		const run = await testBed.search(withFormats('screenshot'));

		const [item] = run.output();
		expect(await testBed.engine.binary(item, 'screenshot')).toEqual(content);
		expect(item.binary?.screenshot).toMatchObject({ mimeType: 'image/png', fileExtension: 'png' });
		expect(item.binary?.screenshot?.fileName).toMatch(/\.png$/);
		expect(String(item.json.screenshot)).not.toContain('base64');
		expect(item.json.title).toBe('A');
	});

	it('are those of the whole response, too', async () => {
		const run = await testBed.search({
			...withFormats('screenshot'),
			limit: 2,
			output: 'response',
		});

		const [item] = run.output();
		expect(Object.keys(item.binary ?? {})).toEqual([
			'data_web_0_screenshot',
			'data_web_1_screenshot',
		]);
		expect((await testBed.engine.binary(item, 'data_web_1_screenshot')).subarray(0, 8)).toEqual(
			png,
		);
	});

	it('leave their result in place when a link has died', async () => {
		testBed.service.faults.add({ kind: 'delay', path: '/_files/*', delayMs: 25 * 3_600_000 });
		const search = testBed.search({ ...withFormats('screenshot'), limit: 2 });
		await testBed.service.clock.untilWaiting(1);
		while (
			!testBed.service.log.entries.some(({ path, fault }) => fault && path.startsWith('/_files/'))
		) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		await testBed.service.clock.advance(26 * 3_600_000);

		const run = await search;

		expect(run.status).toBe('success');
		expect(run.output()).toHaveLength(2);
		const [first] = run.output();
		expect(first.json).toMatchObject({
			source: 'web',
			fileErrors: { screenshot: expect.stringMatching(/HTTP 4/) },
		});
		expect(first.binary?.screenshot).toBeUndefined();
		expect(run.hints()).toMatchObject([{ message: expect.stringContaining('fileErrors') }]);
	});

	it('may lie on other hosts, which get no key', async () => {
		const foreign = await startForeignHost();
		testBed.service.faults.add({
			kind: 'status',
			status: 200,
			body: {
				success: true,
				data: { web: [{ url: 'https://a.example/', screenshot: `${foreign.url}/picture.png` }] },
			},
		});
		const account = testBed.account();

		await testBed.search(withFormats('screenshot'), { account });

		expect(foreign.requests).toHaveLength(1);
		expect(foreign.requests[0].headers.authorization).toBeUndefined();
		expect(JSON.stringify(foreign.requests)).not.toContain(account.key);
		await foreign.close();
	});
});
