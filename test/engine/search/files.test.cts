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
		const file = { mimeType: 'image/png', fileName: 'screenshot.png' };
		expect(item.binary?.screenshot).toMatchObject(file);
		const content = await testBed.engine.binary(item, 'screenshot');
		expect(content.subarray(0, 8)).toEqual(png);
		expect(item.json).toMatchObject({
			screenshot: expect.stringMatching(/^http/),
			markdown: expect.any(String),
		});
		expect(item.json).not.toHaveProperty('fileErrors');
		expect(item.pairedItem).toEqual({ item: 0 });
		expect(files()).toMatchObject([{ authorization: false }]);
		expect(JSON.stringify(files())).not.toContain(account.key);
	});

	it('may lie on other hosts, which get no key', async () => {
		const foreign = await startForeignHost();
		const data = { web: [{ url: 'https://a.example/', screenshot: `${foreign.url}/picture.png` }] };
		testBed.service.faults.add({ kind: 'status', status: 200, body: { success: true, data } });
		const account = testBed.account();

		await testBed.search(withFormats('screenshot'), { account });

		expect(foreign.requests).toHaveLength(1);
		expect(JSON.stringify(foreign.requests)).not.toMatch(
			new RegExp(`authorization|${account.key}`, 'i'),
		);
		await foreign.close();
	});
});
