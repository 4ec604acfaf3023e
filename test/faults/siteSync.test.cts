import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import type { EngineRun } from '../engine/harness.cjs';
import { ScheduledWorkflow } from '../engine/scheduledWorkflow.cjs';
import { addressOf, Handbook, start, textOf } from '../engine/site/handbook.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { scaled, seedOf, useCount } from './fuzzRun.cjs';
import type { Findings } from './findings.cjs';

/** Days without any trouble at the end: on the second, what was missed by most is believed to be gone; within four all known pages were read. */
const calmDays = 5;

/** Pages of which each has its chance to fail on a day. */
const mostPages = 16;

/** What happens to an execution. */
const troubles = [
	'job fails',
	'list is lost',
	'nothing answers',
	'other item',
	'stopped',
	'few credits',
	'404 for all',
	'login for all',
	'login elsewhere for all',
	'other site for all',
] as const;
type Trouble = (typeof troubles)[number] | 'none';

/** On such a day the site is not there: nothing of it may be deleted. */
const inItsPlace: ReadonlySet<Trouble> = new Set([
	'404 for all',
	'login for all',
	'login elsewhere for all',
	'other site for all',
]);

/** Another site in the same store, and a page of it to which pages redirect. */
const otherStart = 'https://tidewatch.example/guides';
const otherPage = `${otherStart}/spring-tides`;

/** A page to which a site leads those who are not signed in. */
const login = `${start}-login`;

/** What happens on a day; so many executions of a hundred meet with trouble. Numbers choose among the pages there are. */
const randomDays = (troubled: number) =>
	fc.record({
		added: fc.nat({ max: 2 }),
		changed: fc.array(fc.nat(), { maxLength: 2 }),
		removed: fc.array(fc.nat(), { maxLength: 2 }),
		/** Below 5, the page of that place fails. */
		luck: fc.array(fc.nat({ max: 99 }), { minLength: mostPages, maxLength: mostPages }),
		failure: fc.constantFrom<number | 'late'>(403, 429, 500, 503, 'late'),
		/** The page of that place redirects to the other site, if there is one. */
		redirected: fc.nat({ max: 2 * mostPages }),
		trouble: fc.oneof(
			{ weight: 100 - troubled, arbitrary: fc.constant<Trouble>('none') },
			{
				weight: troubled,
				arbitrary: fc.constantFrom<Trouble>(...troubles),
			},
		),
		afterPages: fc.integer({ min: 6, max: 14 }),
	});
type Day = ReturnType<typeof randomDays> extends fc.Arbitrary<infer One> ? One : never;

const calm: Day = {
	added: 0,
	changed: [],
	removed: [],
	luck: [],
	failure: 500,
	redirected: 2 * mostPages,
	trouble: 'none',
	afterPages: 0,
};

/** A store that takes what the node gives: the texts of pages, by the page's ID. */
class Mirror {
	readonly pages = new Map<string, string>();
	/** The addresses of all pages that ever came. */
	readonly addresses = new Map<string, string>();

	/** Takes items in their order, and says what is wrong with them: what comes twice, and what goes that was never there. */
	take(items: IDataObject[]): Findings {
		const findings: Findings = [];
		const came = new Map<string, IDataObject[]>();
		let inserts = 0;
		for (const item of items) {
			const id = String(item.pageId);
			if (item.action === 'delete') {
				if (inserts > 0) findings.push(`${id} is deleted after an insertion`);
				if (!this.pages.delete(id)) findings.push(`${id} is deleted and was not there`);
				continue;
			}
			inserts += 1;
			came.set(id, [...(came.get(id) ?? []), item]);
			this.addresses.set(id, String(item.url));
		}
		for (const [id, chunks] of came) {
			if (this.pages.has(id)) findings.push(`${String(chunks[0].url)} came twice`);
			if (chunks.length !== chunks[0].chunks) findings.push(`${id} has not all of its chunks`);
			this.pages.set(id, chunks.map(({ text }) => String(text)).join(''));
		}
		return findings;
	}
}

/** A year of a website that changes every day, while pages and executions fail. */
describe('a website that is synced every day', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const countDays = useCount('days of a website that was synced');

	const setups: Array<[string, number, number, INodeParameters]> = [
		['by crawls', 300, 5, {}],
		['by the links of its pages alone', 50, 40, { additionalFields: { sitemap: 'skip' } }],
		['in turn', 50, 40, { rescrapeEvery: 4 }],
		['by maps', 50, 40, { strategy: 'map', rescrapeEvery: 2 }],
		['by maps of all pages', 50, 40, { strategy: 'map' }],
	];

	it.each(setups)('is mirrored in the end, nothing twice: %s', async (name, days, share, setup) => {
		const { service, engine } = testBed;
		const account = testBed.account({ credits: 10_000_000 });
		const workflow = new ScheduledWorkflow(engine, account.credentials);
		const handbook = new Handbook(service.site);
		handbook.open(12);
		service.site.add({
			url: login,
			title: 'Sign in',
			markdown: 'Sign in to read on.',
			published: '2026-01-01T00:00:00.000Z',
		});
		const names = Array.from({ length: 12 }, (_, index) => String(index + 1));
		const versions = new Map<string, number>();
		let made = names.length;
		const mirror = new Mirror();
		const findings: Findings = [];

		const linkTo = (one: string | undefined) =>
			one === undefined ? '' : `\n\nSee [${one}](/handbook/${one}).`;
		/** Writes the pages as they are on the day: the start page links to every other one, and each of those to the next. */
		const publish = (): void => {
			const heads = names.filter((_, place) => place % 2 === 0).map(linkTo);
			service.site.update(start, { markdown: `All about relays.${heads.join('')}` });
			for (const [place, one] of names.entries()) {
				const next = place % 2 === 0 ? names[place + 1] : undefined;
				handbook.change(one, textOf(one, versions.get(one)) + linkTo(next));
			}
		};
		const change = (day: Day): void => {
			for (const place of day.changed) {
				versions.set(names[place % names.length], 1 + (place % 1_000));
			}
			for (const place of day.removed) {
				if (names.length > 6) handbook.remove(names.splice(place % names.length, 1)[0]);
			}
			for (let count = 0; count < day.added && names.length < mostPages - 2; count += 1) {
				made += 1;
				names.push(String(made));
				handbook.add(String(made));
			}
			publish();
		};
		const isUnlucky = ({ luck }: Day, place: number) => (luck[place] ?? 99) < 5;
		/** Has some pages fail for the day; the pages that are there in spite of that. */
		const disturb = (day: Day): void => {
			for (const [place, one] of names.entries()) {
				const isFailing = isUnlucky(day, place);
				const isLate = day.failure === 'late';
				service.site.update(addressOf(one), {
					title: `Page ${one}`,
					status: isFailing && !isLate ? Number(day.failure) : undefined,
					redirect: place === day.redirected ? otherPage : undefined,
					delayMs: isFailing && isLate ? 30_000 : undefined,
				});
			}
			service.site.update(start, { title: 'Handbook', status: undefined, redirect: undefined });
			if (day.trouble === '404 for all') handbook.replaceAll({ status: 404 });
			if (day.trouble === 'login for all') {
				handbook.replaceAll({ title: 'Sign in', markdown: 'Go [on](/login).', status: undefined });
			}
			if (day.trouble === 'login elsewhere for all') handbook.replaceAll({ redirect: login });
			if (day.trouble === 'other site for all') handbook.replaceAll({ redirect: otherPage });
			const spent = service.context.ledger.spent(account.team.id);
			account.team.credits = spent + (day.trouble === 'few credits' ? day.afterPages : 10_000_000);
			service.faults.clear();
			const lost = { kind: 'status', status: 500, count: 1_000 } as const;
			if (day.trouble === 'job fails') {
				service.context.pageJobs.paces.add({ failure: { afterPages: day.afterPages } });
			}
			if (day.trouble === 'list is lost') {
				for (const path of ['/v2/crawl/*', '/v2/batch/scrape/*']) {
					service.faults.add({ ...lost, method: 'GET', path, skip: 1 + (day.afterPages % 3) });
				}
			}
			if (day.trouble === 'nothing answers') service.faults.add({ ...lost, path: '/v2/*' });
		};
		const execute = async (day: Day, more: INodeParameters = {}): Promise<EngineRun> => {
			const isShared = day.trouble === 'other item';
			const execution = workflow.begin(
				{
					resource: 'site',
					operation: 'sync',
					url: '={{ $json.url }}',
					maxChunkTokens: 50,
					scrapeOptions: { timeout: 2_000 },
					outputOptions: { onMissingResults: day.afterPages % 2 ? 'partial' : 'error' },
					retries: { maxTries: 2 },
					...setup,
					...more,
				},
				{
					input: [
						{ url: start },
						...(day.trouble === 'few credits' ? [] : [{ url: otherStart }]),
						...(isShared ? [{ url: 'https://nowhere.example' }] : []),
					],
				},
			);
			if (day.trouble === 'stopped') {
				setTimeout(() => execution.cancel(), 500 + 700 * (day.afterPages % 5));
			}
			const run = await time.drive(execution.done);
			await time.untilSilent();
			return run;
		};
		const there = () => new Set(names.map(addressOf));
		const otherPages = service.site.pages.filter(({ url }) => url.startsWith(otherStart)).length;
		const outOf = (run: EngineRun): IDataObject[] =>
			run.error || run.status === 'canceled' ? [] : run.output().map(({ json }) => json);

		const troubled = fc.sample(randomDays(share), { seed: seedOf(name), numRuns: scaled(days) });
		for (const [number, day] of [...troubled, ...Array<Day>(calmDays).fill(calm)].entries()) {
			change(day);
			disturb(day);
			const items = outOf(await execute(day));
			countDays();
			const alive = there();
			// Also the page that is linked from there alone is not of the site on that day.
			for (const place of [day.redirected, day.redirected + 1]) {
				alive.delete(addressOf(names[place] ?? ''));
			}
			const lost = items.filter(
				({ action, pageId }) => action === 'delete' && inItsPlace.has(day.trouble) && pageId,
			);
			const wrong = items
				.filter(({ found }) => found === 'removed')
				.map(({ pageId }) => mirror.addresses.get(String(pageId)))
				.filter((url) => url === undefined || alive.has(url) || url.startsWith(otherStart));
			findings.push(
				...[
					...wrong.map((url) => `${url} is there and counts as removed`),
					...lost.map(({ pageId }) => `${String(pageId)} is deleted though the site is not there`),
					...mirror.take(items),
				].map((finding) => `day ${number} (${day.trouble}): ${finding}`),
			);
		}

		expect(findings).toEqual([]);
		const truth = new Mirror();
		truth.take(outOf(await execute(calm, { startOver: true })));
		expect(truth.pages.size).toBe(names.length + 1 + otherPages);
		expect(Object.fromEntries(mirror.pages)).toEqual(Object.fromEntries(truth.pages));
	});
});
