import { useService } from '../useService.cjs';
import { sessionCredits } from './prices.cjs';
import type { Service } from './service.cjs';
import { MonitorClient } from './testClient.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
const surges = 'https://tidewatch.example/guides/storm-surges';
const post = 'https://x.com/anselkites/status/1800000000000000001';
const minute = 60_000;
let service: Service;
let monitors: MonitorClient;
useService(
	(started) => {
		service = started;
		monitors = new MonitorClient(service);
	},
	{ now: Date.parse('2026-11-21T12:10:00Z') },
);

describe('a browser session', () => {
	test.each([
		[1_000, false, 2],
		[minute, false, 2],
		[1.5 * minute, false, 3],
		[60 * minute, false, 120],
		[1_000, true, 7],
		[1.5 * minute, true, 11],
		[60 * minute, true, 420],
	])('of %d ms, prompted %s, costs %d', (ms, prompted, credits) => {
		expect(sessionCredits(ms, prompted)).toBe(credits);
	});
});

describe('a check', () => {
	const scrape = (urls: string[], ...formats: object[]) => ({
		type: 'scrape',
		urls,
		scrapeOptions: { formats: [{ type: 'markdown' }, ...formats] },
	});
	const search = { type: 'search', searchWindow: '7d', maxResults: 6 };
	const tracking = { type: 'changeTracking', modes: ['json'], prompt: 'Title' };
	const script = { type: 'deterministicJson', prompt: 'Title' };

	test.each<[string, Record<string, unknown>, estimated: number, actual: number]>([
		['pages', { targets: [scrape([tides, surges])] }, 2, 2],
		[
			'pages that nobody judges, for none is changed',
			{ targets: [scrape([tides])], goal: 'A' },
			2,
			1,
		],
		['pages by their fields', { targets: [scrape([tides], tracking)] }, 5, 5],
		['pages by a script, which is written', { targets: [scrape([tides], script)] }, 7, 10],
		['a page of X', { targets: [scrape([post])] }, 30, 30],
		['a page that cannot be read', { targets: [scrape(['https://nobody.example/'])] }, 1, 1],
		[
			'searches, their results together',
			{
				targets: [{ ...search, maxResults: 3, queries: ['harbour', 'tide'] }],
				judgeEnabled: false,
			},
			2,
			2,
		],
	])('of %s', async (_of, settings, estimated, actual) => {
		const { id } = await monitors.created(settings);
		expect(await monitors.checked(id)).toMatchObject({
			estimatedCredits: estimated,
			actualCredits: actual,
		});
	});

	test('of a search costs its results, and one more for each that is judged', async () => {
		const targets = [{ ...search, queries: ['harbour'] }];
		const { id } = await monitors.created({ targets, goal: 'harbour' });
		const { actualCredits, pages } = await monitors.checked(id);
		expect(pages.length).toBeGreaterThan(0);
		expect(actualCredits).toBe(2 + pages.length);
		// None is new any more.
		expect(await monitors.checked(id)).toMatchObject({ actualCredits: 2 });
	});

	test('of a page that is gone costs nothing, of one that stays away 1', async () => {
		const { id } = await monitors.created({ targets: [scrape([tides])] });
		await monitors.checked(id);
		service.site.remove(tides);
		expect(await monitors.checked(id)).toMatchObject({ actualCredits: 0 });
		expect(await monitors.checked(id)).toMatchObject({ actualCredits: 1 });
	});
});
