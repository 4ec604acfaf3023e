import { startService, type Service } from './service.cjs';
import { TestClient } from './testClient.cjs';

let service: Service;
let client: TestClient;
beforeAll(async () => {
	service = await startService();
	client = new TestClient(service);
});
afterAll(() => service.close());
beforeEach(() => service.reset());

const page = (url: string) => {
	const found = service.site.find(url);
	if (!found) throw new Error(`No page ${url}`);
	return found;
};

describe('narrowing', () => {
	test('include and exclude domains', async () => {
		const hosts = async (change: Record<string, unknown>): Promise<Set<string>> => {
			const found = await client.web({ query: 'harbour', limit: 100, ...change });
			return new Set(found.map(({ url }) => new URL(url).hostname));
		};
		expect(await hosts({ includeDomains: ['portoffice.example'] })).toEqual(
			new Set(['portoffice.example']),
		);
		const all = await hosts({});
		expect(all).toContain('portoffice.example');
		all.delete('portoffice.example');
		expect(await hosts({ excludeDomains: ['portoffice.example'] })).toEqual(all);
	});

	test('limit counts per source; positions of news and images start at 1, web results have none', async () => {
		const { body } = await client.search({
			query: 'ferry tide',
			sources: ['web', 'news', 'images'],
			limit: 3,
		});
		const { web, news, images } = body.data;
		for (const list of [news, images]) {
			expect(list?.map(({ position }) => position)).toEqual([1, 2, 3]);
		}
		expect(web).toHaveLength(3);
		for (const result of web ?? []) expect(result).not.toHaveProperty('position');
	});

	test('a source that finds nothing has no list', async () => {
		const { body } = await client.search({
			query: '"no page says this"',
			sources: ['web', 'news', 'images'],
		});
		expect(body.data).toEqual({});
	});

	test('only the sources asked for are there', async () => {
		const { body } = await client.search({ query: 'ferry tide', sources: [{ type: 'news' }] });
		expect(Object.keys(body.data)).toEqual(['news']);
		for (const { url } of body.data.news ?? []) expect(page(url).kind).toBe('news');
	});

	test('safe leaves explicit pages out', async () => {
		const explicit = service.site.pages.find((each) => each.explicit);
		const query = `"${explicit?.title}"`;
		const urls = async (safe: boolean): Promise<string[]> =>
			(await client.web({ query, safe })).map(({ url }) => url);
		expect(await urls(false)).toContain(explicit?.url);
		expect(await urls(true)).not.toContain(explicit?.url);
	});

	test('ignoreInvalidURLs leaves out what a scrape refuses', async () => {
		service.context.unsupportedHosts.add('tidewatch.example');
		const hosts = async (ignoreInvalidURLs: boolean): Promise<string[]> =>
			(await client.web({ query: 'tide', limit: 100, ignoreInvalidURLs })).map(
				({ url }) => new URL(url).hostname,
			);
		expect(await hosts(false)).toContain('tidewatch.example');
		expect(await hosts(true)).not.toContain('tidewatch.example');
	});

	test('a country lifts its pages', async () => {
		const first = async (country: string) =>
			page((await client.web({ query: 'site:fernwege.example', country }))[0].url).country;
		expect(await first('FR')).toBe('FR');
		expect(await first('DE')).toBe('DE');
	});
});

test('highlights are passages of the page with the words in bold', async () => {
	const [bold] = await client.web({ query: 'spring tides' });
	const [plain] = await client.web({ query: 'spring tides', highlights: false });
	expect(bold.description).toMatch(/\*\*(spring|tides?)\*\*/i);
	expect(plain.description).toBe(page(plain.url).description);
});

test('a page that changed is found by its new words', async () => {
	const url = 'https://tidewatch.example/guides/spring-tides';
	const before = await client.web({ query: 'quokka' });
	const { markdown } = page(url);
	service.site.update(url, { markdown: `${markdown}\n\nA quokka was seen at the gauge.` });
	const after = await client.web({ query: 'quokka' });
	expect(before.map((each) => each.url)).not.toContain(url);
	expect(after.map((each) => each.url)).toEqual([url]);
});

describe('categories', () => {
	test.each(['pdf', 'developer'] as const)('%s', async (category) => {
		const found = await client.web({
			query: 'rate limits harbour',
			categories: [category],
			limit: 100,
		});
		expect(found.length).toBeGreaterThan(0);
		for (const result of found) {
			expect(result.category).toBe(category);
			const { kind, category: own } = page(result.url);
			expect(category === 'pdf' ? kind : own).toBe(category);
		}
	});

	test('research since 2026-11-16: paper records instead of web results', async () => {
		service.context.options.research = 'records';
		const { body } = await client.search({
			query: 'tide gauges',
			categories: ['research'],
			limit: 2,
		});
		expect(body.data.web).toBeUndefined();
		expect(body.warnings).toBeUndefined();
		expect(body.data.research).toHaveLength(2);
		for (const record of body.data.research ?? []) {
			expect(Object.keys(record).sort()).toEqual([
				'abstract',
				'ids',
				'paperId',
				'primaryId',
				'score',
				'title',
			]);
			expect(`${record.title} ${record.abstract}`).toMatch(/tid(e|al)/i);
		}
	});

	test('research beside pdf since then: both lists', async () => {
		service.context.options.research = 'records';
		const { body } = await client.search({ query: 'tide', categories: ['research', 'pdf'] });
		expect(body.data.research?.length).toBeGreaterThan(0);
		expect(new Set(body.data.web?.map(({ category }) => category))).toEqual(new Set(['pdf']));
	});

	test('research before: academic web results and a warning', async () => {
		service.context.options.research = 'web';
		const { body } = await client.search({ query: 'storage', categories: ['research'] });
		expect(body.data.research).toBeUndefined();
		expect(body.warnings).toHaveLength(1);
		expect(body.data.web?.length).toBeGreaterThan(0);
		for (const { url, category } of body.data.web ?? []) {
			expect([category, page(url).category]).toEqual(['research', 'research']);
		}
	});

	test('the clock decides by default', async () => {
		service.context.options.research = 'by date';
		const lists = async (at: string): Promise<string[]> => {
			service.clock.hold(Date.parse(at));
			const { body } = await client.search({ query: 'tide', categories: ['research'] });
			return Object.keys(body.data);
		};
		expect(await lists('2026-11-15T23:59:59Z')).toEqual(['web']);
		expect(await lists('2026-11-16T00:00:00Z')).toEqual(['research']);
	});
});

describe('tool discovery', () => {
	test('alexandria finds by meaning, is free, and leaves the web out unless asked', async () => {
		const { body } = await client.search({ query: 'train connections', sources: ['alexandria'] });
		expect(Object.keys(body.data)).toEqual(['tools']);
		expect(body.data.tools?.[0]).toMatchObject({
			id: 'fernwege/train-connections',
			matchedBy: ['semantic'],
		});
		expect(body.creditsUsed).toBe(0);
	});

	test('domainTools finds by the domains of the web results', async () => {
		const { body } = await client.search({
			query: 'tide site:tidewatch.example',
			domainTools: true,
			limit: 2,
		});
		expect(body.data.tools?.length).toBe(2);
		for (const tool of body.data.tools ?? []) {
			expect([tool.provider, tool.matchedBy]).toEqual(['tidewatch', ['domain']]);
			expect(tool.matchedUrls).toEqual(body.data.web?.map(({ url }) => url));
		}
	});

	test('domainTools false keeps domain matches out; toolDetail cuts the contract', async () => {
		const { body } = await client.search({
			query: 'tide times',
			sources: ['web', 'alexandria'],
			domainTools: false,
			toolDetail: 'compact',
		});
		expect(body.data.tools?.length).toBeGreaterThan(0);
		for (const tool of body.data.tools ?? []) {
			expect(Object.keys(tool).sort()).toEqual([
				'capability',
				'description',
				'matchedBy',
				'provider',
			]);
		}
	});

	test('a partly failed discovery says so', async () => {
		service.context.tools.degraded = true;
		const { body } = await client.search({ query: 'tide', domainTools: true });
		expect(body.data.tools).toEqual([]);
		expect(body.warning).toBe('Some tool discovery results are unavailable.');
	});
});

describe('scrapeOptions in a search', () => {
	test('every web and news result carries its page', async () => {
		const { body } = await client.search({
			query: 'ferry',
			sources: ['web', 'news'],
			limit: 2,
			scrapeOptions: { formats: ['markdown', 'links'] },
		});
		const results = [...(body.data.web ?? []), ...(body.data.news ?? [])];
		expect(results).toHaveLength(4);
		for (const { url, title, markdown, metadata } of results) {
			expect(markdown).toContain(`# ${title}`);
			expect(metadata).toMatchObject({ sourceURL: url, statusCode: 200 });
		}
		expect(body.creditsUsed).toBe(2 + 4);
	});

	test('without formats nothing is scraped', async () => {
		const { body } = await client.search({
			query: 'ferry',
			limit: 1,
			scrapeOptions: { onlyMainContent: true },
		});
		expect(body.data.web?.[0].metadata).toBeUndefined();
		expect(body.creditsUsed).toBe(2);
	});

	test('a page that cannot be scraped stays, and says why', async () => {
		service.context.unsupportedHosts.add('tidewatch.example');
		const { body } = await client.search({
			query: 'tide site:tidewatch.example',
			limit: 1,
			scrapeOptions: { formats: ['markdown'] },
		});
		expect(body.data.web).toHaveLength(1);
		expect(body.data.web?.[0].markdown).toBeUndefined();
		expect(body.data.web?.[0].metadata).toMatchObject({
			statusCode: 403,
			error: expect.stringContaining('not supported'),
		});
		expect(body.creditsUsed).toBe(2);
	});
});
