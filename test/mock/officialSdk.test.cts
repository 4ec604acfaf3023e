import Firecrawl from '@mendable/firecrawl-js';

import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { keys } from './teams.cjs';

/** The official client, unchanged, against the mock server: what it understands is what users get. */
let service: Service;
useService((started) => (service = started));

const sdk = (apiKey: string = keys.full): Firecrawl =>
	new Firecrawl({ apiKey, apiUrl: service.url });
const tides = 'https://tidewatch.example/guides/spring-tides';

test('search', async () => {
	const { web, news, images } = await sdk().search('spring tides', {
		sources: ['web', 'news', 'images'],
		limit: 4,
	});
	expect(web?.map((result) => 'url' in result && result.url)).toContain(tides);
	expect([web, news, images].map((list) => list && list.length > 0 && list.length <= 4)).toEqual([
		true,
		true,
		true,
	]);
	const [entry] = service.log.of('POST', '/v2/search');
	expect(entry).toMatchObject({
		status: 200,
		key: keys.full,
		body: { origin: expect.stringMatching(/^js-sdk@/) },
	});
});

test('search with pages, domains and a time filter', async () => {
	const { web } = await sdk().search('tide', {
		includeDomains: ['tidewatch.example'],
		tbs: 'qdr:y',
		limit: 2,
		scrapeOptions: { formats: ['markdown', { type: 'json', prompt: 'title' }] },
	});
	expect(web).toHaveLength(2);
	for (const page of web ?? []) {
		expect(page).toMatchObject({
			markdown: expect.stringContaining('# '),
			json: { title: expect.any(String) },
		});
	}
});

test('search finds tools', async () => {
	const { tools } = await sdk().search('train connections', { sources: ['alexandria'] });
	expect(tools?.[0]).toMatchObject({ provider: 'fernwege', capability: 'train-connections' });
});

test('scrape', async () => {
	const document = await sdk().scrape(tides, {
		formats: [
			'markdown',
			'links',
			{ type: 'screenshot', fullPage: true },
			{ type: 'question', question: 'Why?' },
		],
		parsers: ['pdf'],
		maxAge: 0,
	});
	expect(document.markdown).toContain('# Why spring tides are higher');
	expect(document.metadata).toMatchObject({ statusCode: 200, sourceURL: tides });
	expect(document.answer).toEqual(expect.any(String));
});

test('credit usage is the ledger’s', async () => {
	const before = await sdk().getCreditUsage();
	await sdk().scrape(tides);
	const after = await sdk().getCreditUsage();
	expect(before.remainingCredits - after.remainingCredits).toBe(1);
});

test.each([
	['an unknown key', 'fc-00000000000000000000000000000000', 401],
	['no credits', keys.empty, 402],
	['a missing scope', keys.scrapeOnly, 403],
])('%s is an error that it understands', async (_name, key, status) => {
	await expect(sdk(key).search('tide')).rejects.toMatchObject({ status });
});

test('its retry of 502 finds the answer', async () => {
	service.faults.add({ kind: 'status', status: 502, path: '/v2/search' });
	const { web } = await sdk().search('tide');
	expect(web?.length).toBeGreaterThan(0);
	expect(service.log.of('POST', '/v2/search').map(({ status }) => status)).toEqual([502, 200]);
});
