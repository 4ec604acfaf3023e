import { OlderVersions } from './olderVersions.cjs';

/** The responses to a request of an older version, and what v2 was asked. */
async function asked(path: string, body: object, answer: Record<string, unknown> = {}) {
	const requests: unknown[] = [];
	const older = new OlderVersions(async (method, to, sent) => {
		requests.push([`${method} ${to}`, sent]);
		return { status: 200, body: answer };
	});
	return { answer: await older.answer('POST', path, body), requests, older };
}

describe('An older version of the API', () => {
	it('leaves those of v2 alone', async () => {
		expect((await asked('/v2/scrape', {})).answer).toBeUndefined();
	});

	it.each([
		['/v1/scrape', { url: 'x', parsers: ['pdf'] }],
		['/v1/scrape', { url: 'x', formats: [{ type: 'json' }] }],
		['/v1/map', { url: 'x', sitemap: 'only' }],
		['/v1/search', { query: 'x', sources: ['web'] }],
		['/v1/crawl', { url: 'x', maxDiscoveryDepth: 2 }],
		['/v0/scrape', { url: 'x', formats: ['markdown'] }],
		['/v0/crawl', { url: 'x', crawlerOptions: { maxPages: 2 } }],
		['/v0/search', { query: 'x', limit: 2 }],
		['/v1/extract', {}],
		['/v1/extract', { prompt: 'x', formats: ['json'] }],
	])('refuses what %s has not: %j', async (path, body) => {
		const { answer, requests } = await asked(path, body);

		expect([answer?.status, requests]).toEqual([400, []]);
	});

	it('has links of a map as texts, and results of a search as a list', async () => {
		const links = [{ url: 'a' }, { url: 'b' }];
		const map = await asked('/v1/map', { url: 'x', sitemapOnly: true }, { links });
		expect(map.answer?.body.links).toEqual(['a', 'b']);
		expect(map.requests).toEqual([['POST /v2/map', { url: 'x', limit: 5000, sitemap: 'only' }]]);

		const search = await asked('/v1/search', { query: 'x' }, { data: { web: links } });
		expect(search.answer?.body.data).toEqual(links);
	});

	it('has pages of v0 in its form', async () => {
		const data = {
			markdown: '# T',
			links: ['a'],
			json: { title: 'T' },
			screenshot: 's',
			metadata: { sourceURL: 'x', statusCode: 200 },
		};
		const { answer, requests } = await asked('/v0/scrape', { url: 'x' }, { data });

		expect(requests).toEqual([
			['POST /v2/scrape', { url: 'x', onlyMainContent: false, formats: ['markdown', 'links'] }],
		]);
		expect(answer?.body).toMatchObject({
			data: {
				content: '# T',
				linksOnPage: ['a'],
				llm_extraction: { title: 'T' },
				metadata: { sourceURL: 'x', pageStatusCode: 200, screenshot: 's' },
			},
			returnCode: 200,
		});
	});

	it('extracts one page by a scrape, and responds with its status', async () => {
		const data = { json: { title: 'T' } };
		const { answer, requests, older } = await asked(
			'/v2/extract',
			{ urls: ['x'], prompt: 'Title' },
			{ data },
		);

		expect(requests).toEqual([
			['POST /v2/scrape', { url: 'x', formats: [{ type: 'json', prompt: 'Title' }] }],
		]);
		const status = await older.answer('GET', `/v2/extract/${String(answer?.body.id)}`, undefined);
		expect(status?.body).toEqual({ success: true, status: 'completed', data: data.json });
	});
});
