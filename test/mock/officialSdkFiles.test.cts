import Firecrawl from '@mendable/firecrawl-js';

import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { keys } from './teams.cjs';

/** The official client, unchanged: files and browser sessions. */
let service: Service;
useService((started) => (service = started));

const sdk = (apiKey: string = keys.full): Firecrawl =>
	new Firecrawl({ apiKey, apiUrl: service.url });
const cape = 'https://tidewatch.example/stations/cape-morrow';

test('parse', async () => {
	const data = '<h1>Fees</h1><p>A berth costs 12 euros a night.</p>';
	const contentType = 'text/html';
	const document = await sdk().parse(
		{ data, filename: 'fees.html', contentType },
		{ formats: ['markdown', { type: 'question', question: 'What does a berth cost?' }] },
	);
	expect(document.markdown).toContain('# Fees');
	expect(document.answer).toBe('A berth costs 12 euros a night.');
	expect(document.metadata).toMatchObject({ contentType, creditsUsed: 5 });
	const [entry] = service.log.of('POST', '/v2/parse');
	expect(entry.body).toMatchObject({
		parts: [
			['options', expect.stringContaining('"origin":"js-sdk@')],
			['file', { filename: 'fees.html', contentType }],
		],
	});
});

test('parse errors are ones that it understands', async () => {
	const file = { data: 'x', filename: 'a.exe' };
	await expect(sdk().parse(file)).rejects.toMatchObject({
		status: 400,
		code: 'UNSUPPORTED_FILE_TYPE',
	});
});

test('a session of its own', async () => {
	const client = sdk();
	const { id, cdpUrl, expiresAt } = await client.browser({ ttl: 120, activityTtl: 60 });
	if (!id) throw new Error('No session');
	expect([cdpUrl, expiresAt]).toEqual([expect.any(String), expect.any(String)]);
	const shell = await client.browserExecute(id, { code: 'echo hello' });
	expect(shell).toMatchObject({ success: true, stdout: 'hello\n', exitCode: 0, killed: false });
	const code = `await page.goto('${cape}'); console.log(page.url())`;
	const page = await client.browserExecute(id, { code, language: 'node', timeout: 10 });
	expect(page.stdout).toBe(`${cape}\n`);
	const failed = await client.browserExecute(id, {
		code: 'throw new Error("no")',
		language: 'node',
	});
	expect(failed).toMatchObject({ success: false, exitCode: 1, error: 'no' });
	const { sessions } = await client.listBrowsers({ status: 'active' });
	expect(sessions).toMatchObject([{ id, status: 'active' }]);
	expect(await client.deleteBrowser(id)).toMatchObject({ success: true, creditsBilled: 2 });
	await expect(client.browserExecute(id, { code: 'echo' })).rejects.toMatchObject({ status: 410 });
});

test('a session on a scraped page', async () => {
	const client = sdk();
	const { metadata } = await client.scrape(cape);
	const scrapeId = String(metadata?.scrapeId);
	const { stdout } = await client.interact(scrapeId, {
		code: 'console.log(page.url())',
	});
	expect(stdout).toBe(`${cape}\n`);
	const { output, success } = await client.interact(scrapeId, { prompt: 'Where is the station?' });
	expect([success, output]).toEqual([true, expect.any(String)]);
	expect(await client.stopInteraction(scrapeId)).toMatchObject({ success: true, creditsBilled: 7 });
	await expect(client.interact(scrapeId, { code: '1' })).rejects.toMatchObject({ status: 410 });
});
