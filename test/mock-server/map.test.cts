import { request, type Answered } from './request.cjs';
import { startService, type Service } from './service.cjs';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.close());
beforeEach(() => service.reset());

interface Link {
	url: string;
	title?: string;
	description?: string;
}
interface Body {
	id: string;
	links: Link[];
	warning?: string;
}
const map = (body: object, key?: string): Promise<Answered<Body>> =>
	request<Body>(service, 'POST', '/v2/map', body, key);
const urls = async (body: object): Promise<string[]> => {
	const { status, body: answer, text } = await map(body);
	if (status !== 200) throw new Error(`${status} ${text}`);
	return answer.links.map(({ url }) => url);
};

const tidewatch = 'https://tidewatch.example/';
const relayworks = 'https://relayworks.example/';

test('links with title and description, for one credit', async () => {
	const { status, body } = await map({ url: tidewatch });
	expect([status, body.success, service.ledger.spent('team-full')]).toEqual([200, true, 1]);
	const page = service.site.find(`${tidewatch}guides/spring-tides`);
	expect(body.links).toContainEqual({
		url: page?.url,
		title: page?.title,
		description: page?.description,
	});
	expect(new Set(body.links.map(({ url }) => url)).size).toBe(body.links.length);
	expect(body.links.every(({ url }) => new URL(url).hostname === 'tidewatch.example')).toBe(true);
});

test('a missing scheme is completed', async () => {
	const [first] = await urls({ url: 'tidewatch.example' });
	expect(first).toBe('http://tidewatch.example/');
});

test('sitemap: only lists it, skip takes links alone, include both', async () => {
	const sitemap = await service.site.render(`${relayworks}sitemap.xml`);
	const listed = [...sitemap.body.toString().matchAll(/<loc>([^<]+)/g)].map(([, url]) => url);
	const own = { url: relayworks, includeSubdomains: false };
	expect((await urls({ ...own, sitemap: 'only' })).sort()).toEqual(listed.sort());
	const linked = await urls({ ...own, sitemap: 'skip' });
	const post = `${relayworks}blog/why-queues-beat-cron`;
	expect([listed.includes(post), linked.includes(`${relayworks}pricing`)]).toEqual([true, true]);
	const both = await urls({ ...own, sitemap: 'include' });
	expect(both).toEqual(expect.arrayContaining([...linked]));
	expect(both).toContain(post);
});

test('subdomains unless told otherwise, external hosts only when told', async () => {
	const hosts = async (change: object): Promise<string[]> => {
		const found = await urls({ url: relayworks, ...change });
		return [...new Set(found.map((url) => new URL(url).hostname))].sort();
	};
	expect(await hosts({})).toEqual(['docs.relayworks.example', 'relayworks.example']);
	expect(await hosts({ includeSubdomains: false })).toEqual(['relayworks.example']);
	const gazette = { url: 'https://tidewatch.example/reports' };
	expect((await urls(gazette)).some((url) => url.includes('northshore'))).toBe(false);
	const outside = await urls({ ...gazette, allowExternalLinks: true });
	expect(outside.some((url) => url.includes('northshore'))).toBe(true);
});

test('a path narrows to what is below it, unless filterByPath is off', async () => {
	const guides = `${tidewatch}guides`;
	const below = await urls({ url: guides });
	expect(below.length).toBeGreaterThan(3);
	expect(below.every((url) => url === guides || url.startsWith(`${guides}/`))).toBe(true);
	expect(await urls({ url: guides, filterByPath: false })).toContain(`${tidewatch}energy`);
});

test('patterns include and exclude', async () => {
	const found = await urls({
		url: tidewatch,
		includePaths: ['^/(guides|energy)'],
		excludePaths: ['tides$'],
	});
	expect(found).toContain(`${tidewatch}energy`);
	expect(found.filter((url) => !/\/(guides|energy)/.test(url) || url.endsWith('tides'))).toEqual(
		[],
	);
});

test('search puts what it asks for first, limit cuts', async () => {
	const all = await urls({ url: tidewatch });
	const found = await urls({ url: tidewatch, search: 'storm surges', limit: 3 });
	expect(found).toHaveLength(3);
	expect(found[0]).toBe(`${tidewatch}guides/storm-surges`);
	expect((await urls({ url: tidewatch, search: 'storm surges' })).sort()).toEqual(all.sort());
});

test('a start page that moved is followed; a lone find comes with a warning', async () => {
	const { body } = await map({ url: `${tidewatch}tides` });
	expect(body.links.map(({ url }) => url)).toEqual([`${tidewatch}guides/spring-tides`]);
	expect(body.warning).toEqual(expect.stringContaining('base domain'));
});

test('bare strings, as older servers answer', async () => {
	service.context.options.mapLinks = 'strings';
	const { body } = await map({ url: tidewatch, limit: 1 });
	expect(body.links).toEqual([tidewatch]);
});

test.each([
	['no url', {}, 'url'],
	['a URL without host', { url: 'http://' }, 'url'],
	['an unknown key', { url: tidewatch, depth: 1 }, ''],
	['limit 0', { url: tidewatch, limit: 0 }, 'limit'],
	['limit 100001', { url: tidewatch, limit: 100_001 }, 'limit'],
	['an unknown sitemap mode', { url: tidewatch, sitemap: 'none' }, 'sitemap'],
	['null for absent', { url: tidewatch, search: null }, 'search'],
	['a pattern that does not compile', { url: tidewatch, includePaths: ['('] }, 'includePaths'],
	['country UK', { url: tidewatch, location: { country: 'UK' } }, 'location'],
	['scrapeOptions', { url: tidewatch, scrapeOptions: {} }, ''],
])('%s is 400', async (_name, body, path) => {
	const { status, body: answer } = await map(body);
	expect([status, answer.success]).toEqual([400, false]);
	expect(answer.details?.map((detail) => detail.path[0] ?? '')).toContain(path);
});

test('the errors of the target', async () => {
	service.context.unsupportedHosts.add('emberroast.example');
	const unsupported = await map({ url: 'https://emberroast.example' });
	expect([unsupported.status, unsupported.body.code]).toEqual([403, 'UNSUPPORTED_SITE']);
	const unknown = await map({ url: 'https://nowhere.example' });
	expect([unknown.status, unknown.body.code]).toEqual([500, 'MAP_FAILED']);
	const blocked = await map({
		url: 'https://phishing.example',
		threatProtection: { mode: 'normal' },
	});
	expect([blocked.status, blocked.body.code]).toEqual([403, 'unsafe_domain_blocked']);
	expect(service.ledger.spent('team-full')).toBe(2);
});

test('a slow page runs into the timeout, unpaid', async () => {
	service.clock.hold();
	const waiting = map({ url: `${tidewatch}stations/live`, timeout: 1000 });
	await service.clock.untilWaiting(2);
	await service.clock.advance(1000);
	const { status, body } = await waiting;
	expect([status, body.code, service.ledger.spent('team-full')]).toEqual([408, 'MAP_TIMEOUT', 0]);
});

test('an empty balance is 402, a missing scope 403, too many per minute 429', async () => {
	expect((await map({ url: tidewatch }, service.keys.empty)).status).toBe(402);
	expect((await map({ url: tidewatch }, service.keys.scrapeOnly)).status).toBe(403);
	const statuses: number[] = [];
	for (let call = 0; call < 11; call++) {
		statuses.push((await map({ url: tidewatch, limit: 1 }, service.keys.free)).status);
	}
	expect(statuses.slice(9)).toEqual([200, 429]);
});
