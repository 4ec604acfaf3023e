import { PollContext } from 'n8n-core';
import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed } from '../testBed.cjs';
import { started, urlsOf, watcher } from './watching.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);

const site = 'https://tidewatch.example';
const linksTo = (...paths: string[]) => paths.map((path) => ({ url: `${site}/${path}` }));

/** The next maps have these links. */
function maps(links: object[]): void {
	testBed.service.faults.clear();
	const map = { method: 'POST', path: '/v2/map', count: Infinity };
	testBed.service.faults.add({ ...map, kind: 'addition', fields: { links } });
}

async function watched(links: object[], more = {}) {
	maps(links);
	const trigger = await started(watcher(testBed, { watch: 'site', url: site, ...more }), time);
	const check = async (next: object[]) => {
		const before = trigger.fired.length;
		maps(next);
		await time.drive(trigger.poll());
		expect(trigger.errors).toEqual([]);
		return trigger.fired.slice(before);
	};
	return Object.assign(trigger, { check });
}

describe('a watched website', () => {
	it('fires for its new pages by one map a check, with their link', async () => {
		const account = testBed.account();
		const parameters = { watch: 'site', url: site, additionalFields: { excludePaths: '/no/.*' } };
		const trigger = await started(watcher(testBed, parameters, { account }), time);
		expect(trigger.executions).toEqual([]);
		const spent = testBed.service.ledger.spent(account.team.id);
		testBed.service.site.add({
			url: `${site}/new-page`,
			title: 'A new page',
			description: 'About it',
			markdown: 'New',
			published: '2026-01-01T00:00:00Z',
		});

		await time.drive(trigger.poll());
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toEqual([
			{ url: `${site}/new-page`, title: 'A new page', description: 'About it', change: 'new' },
		]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(spent + 2);
		expect(testBed.service.log.of('POST', '/v2/map')[0].body).toMatchObject({
			limit: 50_000,
			ignoreCache: true,
			excludePaths: ['/no/.*'],
		});
	});

	it('knows a URL in other forms, and one that was away', async () => {
		const { check } = await watched(linksTo('a', 'b', 'c'), { ignoreQueryParameters: 'session*' });

		const forms = ['http://www.tidewatch.example/a/', `${site}/b?utm_source=x&session=1#top`];
		expect(await check(forms.map((url) => ({ url })))).toEqual([]);
		expect(await check(linksTo('a', 'b', 'c'))).toEqual([]);
	});

	it('fires nothing for an empty map and one much smaller, and says so in the log', async () => {
		const log = jest.spyOn(PollContext.prototype.logger, 'info');
		const all = linksTo('a', 'b', 'c', 'd', 'e');
		const { check } = await watched(all);

		expect(await check([])).toEqual([]);
		expect(await check(linksTo('x', 'y'))).toEqual([]);
		const lines = log.mock.calls.map(([line]) => line);
		log.mockRestore();
		expect(lines.at(-2)).toContain('The map is empty, so it was not compared');
		expect(lines.at(-1)).toContain('The map has 2 URLs, the last one had 5: it was not compared');
		expect(urlsOf(await check([...all, ...linksTo('x')]))).toEqual([`${site}/x`]);
	});

	it('is compared again once it has become smaller', async () => {
		const { check } = await watched(linksTo('a', 'b', 'c', 'd', 'e'));

		expect(await check(linksTo('a', 'x'))).toEqual([]);
		expect(urlsOf(await check(linksTo('a', 'x')))).toEqual([`${site}/x`]);
	});

	it('has its first pages in the first map that is not empty', async () => {
		const { check } = await watched([]);

		expect(await check(linksTo('a', 'b'))).toEqual([]);
		expect(urlsOf(await check(linksTo('a', 'b', 'c')))).toEqual([`${site}/c`]);
	});

	it('of 50,000 URLs takes at most 700 kB', async () => {
		const many = linksTo(...Array.from({ length: 50_000 }, (_, index) => `pages/${index}`));
		const trigger = await watched(many);

		expect(urlsOf(await trigger.check([...many.slice(1), ...linksTo('new')]))).toEqual([
			`${site}/new`,
		]);
		expect(Buffer.byteLength(JSON.stringify(trigger.stored))).toBeLessThan(700_000);
	});
});
