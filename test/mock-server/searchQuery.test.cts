import { startService, type Service } from './service.cjs';
import { TestClient } from './testClient.cjs';

const hour = 3_600_000;
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

describe('query operators', () => {
	test('quotes match exactly', async () => {
		const found = await client.web({ query: '"spring tides"', limit: 100 });
		expect(found.length).toBeGreaterThan(0);
		for (const { url } of found) {
			const { title, description, markdown } = page(url);
			expect(`${title} ${description} ${markdown}`.toLowerCase()).toMatch(/spring\W+tides/);
		}
	});

	test('minus leaves a word out', async () => {
		const all = await client.web({ query: 'harbour', limit: 100 });
		const without = await client.web({ query: 'harbour -tide', limit: 100 });
		const withTide = all.filter(({ url }) => {
			const { title, description, markdown } = page(url);
			return /\btide\b/i.test(`${title} ${description} ${markdown}`);
		});
		expect(withTide.length).toBeGreaterThan(0);
		const urls = without.map(({ url }) => url);
		expect(urls.length).toBeGreaterThan(0);
		for (const { url } of withTide) expect(urls).not.toContain(url);
	});

	test('site:, and its negation', async () => {
		const inside = await client.web({ query: 'tide site:tidewatch.example', limit: 100 });
		expect(new Set(inside.map(({ url }) => new URL(url).hostname))).toEqual(
			new Set(['tidewatch.example']),
		);
		const outside = await client.web({ query: 'tide -site:tidewatch.example', limit: 100 });
		expect(outside.length).toBeGreaterThan(0);
		expect(outside.filter(({ url }) => url.includes('//tidewatch.example'))).toEqual([]);
	});

	test('site: covers subdomains', async () => {
		const hosts = (await client.web({ query: 'site:relayworks.example', limit: 100 })).map(
			({ url }) => new URL(url).hostname,
		);
		expect(new Set(hosts)).toEqual(new Set(['relayworks.example', 'docs.relayworks.example']));
	});

	test('filetype:, and its negation', async () => {
		const pdfs = await client.web({ query: 'filetype:pdf', limit: 100 });
		expect(pdfs.length).toBe(service.site.pages.filter(({ kind }) => kind === 'pdf').length);
		const others = await client.web({ query: 'harbour -filetype:pdf', limit: 100 });
		expect(others.filter(({ url }) => url.endsWith('.pdf'))).toEqual([]);
	});

	test('inurl: and allinurl:', async () => {
		for (const { url } of await client.web({ query: 'inurl:guides', limit: 100 })) {
			expect(url).toContain('guides');
		}
		const both = await client.web({ query: 'allinurl:guides tides', limit: 100 });
		expect(both.length).toBeGreaterThan(0);
		for (const { url } of both) expect(url).toMatch(/guides.*tides/);
	});

	test('intitle: and allintitle:', async () => {
		const one = await client.web({ query: 'intitle:tides', limit: 100 });
		expect(one.length).toBeGreaterThan(0);
		for (const { title } of one) expect(title.toLowerCase()).toContain('tides');
		const both = await client.web({ query: 'allintitle:spring tides', limit: 100 });
		expect(both.length).toBeGreaterThan(0);
		for (const { title } of both) expect(title.toLowerCase()).toMatch(/spring.*tides/);
	});

	test('related: finds other domains', async () => {
		const found = await client.web({ query: 'related:relayworks.example' });
		expect(found.length).toBeGreaterThan(0);
		expect(found.filter(({ url }) => url.includes('relayworks.example'))).toEqual([]);
	});

	test('imagesize: and larger:', async () => {
		const images = async (query: string) => {
			const { body } = await client.search({ query, sources: ['images'], limit: 100 });
			return body.data.images ?? [];
		};
		const all = await images('tide');
		const [{ imageWidth, imageHeight }] = all;
		const exact = await images(`tide imagesize:${imageWidth}x${imageHeight}`);
		expect(exact.length).toBeGreaterThan(0);
		for (const image of exact)
			expect([image.imageWidth, image.imageHeight]).toEqual([imageWidth, imageHeight]);
		const larger = await images('tide larger:700x500');
		expect(larger.length).toBeGreaterThan(0);
		expect(larger.length).toBe(
			all.filter((image) => image.imageWidth > 700 && image.imageHeight > 500).length,
		);
	});
});

describe('time filter', () => {
	const ages = async (change: Record<string, unknown>): Promise<number[]> => {
		const found = await client.web({ query: 'site:harbourgazette.example', limit: 100, ...change });
		return found.map(({ url }) => service.clock.now() - Date.parse(page(url).published));
	};

	test('each range is narrower than the next', async () => {
		const counts = [];
		for (const [range, most] of [
			['h', 1],
			['d', 24],
			['w', 168],
			['m', 720],
			['y', 8760],
		] as const) {
			const found = await ages({ tbs: `qdr:${range}` });
			for (const age of found) expect(age).toBeLessThanOrEqual(most * hour);
			counts.push(found.length);
		}
		expect(counts).toEqual([...counts].sort((a, b) => a - b));
		expect(counts[4]).toBeGreaterThan(counts[1]);
	});

	test('sbd:1 sorts by date and combines', async () => {
		const found = await ages({ tbs: 'sbd:1,qdr:y' });
		expect(found.length).toBeGreaterThan(1);
		expect(found).toEqual([...found].sort((a, b) => a - b));
	});

	test('a custom range holds both its days', async () => {
		const [, { url }] = await client.web({ query: 'site:harbourgazette.example' });
		const [year, month, day] = page(url).published.slice(0, 10).split('-');
		const date = `${month}/${day}/${year}`;
		const found = await client.web({
			query: 'site:harbourgazette.example',
			limit: 100,
			tbs: `cdr:1,cd_min:${date},cd_max:${date}`,
		});
		const days = found.map((each) => page(each.url).published.slice(0, 10));
		expect(new Set(days)).toEqual(new Set([`${year}-${month}-${day}`]));
	});

	test('the top-level one counts; that of a source has no effect', async () => {
		service.clock.hold();
		const none = await ages({});
		const top = await ages({ sources: ['web'], tbs: 'qdr:w' });
		expect(await ages({ sources: [{ type: 'web' }], tbs: 'qdr:w' })).toEqual(top);
		expect(await ages({ sources: [{ type: 'web', tbs: 'qdr:w' }] })).toEqual(none);
		expect(none.length).toBeGreaterThan(top.length);
	});
});
