import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { type Answered, request } from './testClient.cjs';

let service: Service;
useService((started) => (service = started));

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

const tidewatch = 'https://tidewatch.example/';

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

test.each([
	['no url', {}, 'url'],
	['a URL without host', { url: 'http://' }, 'url'],
	['an unknown key', { url: tidewatch, depth: 1 }, ''],
	['null for absent', { url: tidewatch, search: null }, 'search'],
	['country UK', { url: tidewatch, location: { country: 'UK' } }, 'location'],
	['scrapeOptions', { url: tidewatch, scrapeOptions: {} }, ''],
])('%s is 400', async (_name, body, path) => {
	const { status, body: answer } = await map(body);
	expect([status, answer.success]).toEqual([400, false]);
	expect(answer.details?.map((detail) => detail.path[0] ?? '')).toContain(path);
});

test('a pattern that does not compile is 400', async () => {
	const { status, body } = await map({ url: tidewatch, includePaths: ['('] });
	expect([status, body.error]).toEqual([
		400,
		'Invalid regular expression: /(/: Unterminated group',
	]);
});

test('a site that does not exist has no addresses, a dangerous one is refused', async () => {
	const unknown = await map({ url: 'https://nowhere.example' });
	expect([unknown.status, unknown.body.links]).toEqual([200, []]);
	const blocked = await map({
		url: 'https://phishing.example',
		threatProtection: { mode: 'normal' },
	});
	expect([blocked.status, blocked.body.code]).toEqual([403, 'unsafe_domain_blocked']);
	expect(service.ledger.spent('team-full')).toBe(3);
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
