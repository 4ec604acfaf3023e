import type { INodeParameters } from 'n8n-workflow';

import { startForeignHost } from '../../mock/loopback.cjs';
import { useTestBed } from '../testBed.cjs';

/** Screenshots and the like as binary data. */
describe('the files of a search', () => {
	const testBed = useTestBed();
	const withFormats = (...types: string[]): INodeParameters => ({
		query: 'tide',
		limit: 1,
		scrapeResults: true,
		formats: types,
		options: { downloadFiles: true },
	});
	const files = () => testBed.service.log.entries.filter(({ path }) => path.startsWith('/_files/'));
	const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

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
