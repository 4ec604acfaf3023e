import type { INodeParameters } from 'n8n-workflow';
import { keepings } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';
import { addressOf, page, topic, urlsOf, watcher } from './watching.cjs';

const testBed = useTestBed();
const add = (...names: string[]) => names.forEach((name) => testBed.service.site.add(page(name)));
const remove = (name: string) => testBed.service.site.remove(addressOf(name));

/** An answer of the service in the place of its own. */
const answer = (data: object) =>
	testBed.service.faults.add({
		kind: 'status',
		status: 200,
		body: { success: true, data, id: `job-${Math.random()}`, creditsUsed: 2 },
	});

describe.each(keepings)('a watched search (memory %s)', (keeping) => {
	const watch = (parameters?: INodeParameters) => watcher(testBed, parameters, { keeping });

	it('fires for each result that was not there before, once', async () => {
		add('first');
		const trigger = watch();
		await trigger.activate();
		await trigger.poll();
		expect(trigger.executions).toEqual([]);

		add('second', 'third');
		await trigger.poll();
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(trigger.executions).toHaveLength(1);
		expect(urlsOf(trigger.fired).sort()).toEqual([addressOf('second'), addressOf('third')]);
		expect(trigger.fired).toMatchObject([
			{ found: 'new', source: 'web', request: { creditsUsed: 2 } },
			{ found: 'new', title: expect.stringContaining(topic) },
		]);
	});

	it('starts one execution per result when asked to', async () => {
		const trigger = watch({ executions: 'each' });
		await trigger.activate();
		await trigger.poll();
		add('first', 'second', 'third');

		await trigger.poll();
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(trigger.executions.map((items) => items.length)).toEqual([1, 1, 1]);
		expect(new Set(urlsOf(trigger.fired)).size).toBe(3);
	});

	it.each([
		[101, 51],
		[1000, 100],
	])('remembers %i results for an execution each in %i writes', async (count, writes) => {
		const trigger = watch({ executions: 'each' });
		await trigger.activate();
		await trigger.poll();
		answer({
			web: Array.from({ length: count }, (_, each) => ({ url: `https://a.example/${each}` })),
		});

		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(trigger.executions).toHaveLength(count);
		const known = trigger.storedAtStart.map(({ seen }) => String(seen).length / 17);
		expect(new Set(known).size).toBe(writes);
		// Each result is remembered when its execution begins.
		expect(known.every((remembered, place) => remembered > place)).toBe(true);
		expect(known.at(-1)).toBe(count);
	});

	it('fires once for what comes and goes', async () => {
		const trigger = watch();
		await trigger.activate();
		await trigger.poll();
		for (let round = 0; round < 3; round += 1) {
			add('fleeting');
			await trigger.poll();
			remove('fleeting');
			await trigger.poll();
		}

		expect(trigger.errors).toEqual([]);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('fleeting')]);
	});

	it('goes on where it was after n8n was restarted', async () => {
		const trigger = watch();
		await trigger.activate();
		await trigger.poll();
		add('before');
		await trigger.poll();
		add('meanwhile');

		await trigger.restart();
		await trigger.poll();

		expect(urlsOf(trigger.fired)).toEqual([addressOf('before'), addressOf('meanwhile')]);
	});

	it('forgets what it has not found for the longest time', async () => {
		const trigger = watch({ limit: 100, triggerOptions: { maxRemembered: 1_000 } });
		const results = (from: number, count: number) => ({
			web: Array.from({ length: count }, (_, index) => ({
				url: `https://a.example/${from + index}`,
				title: 'One of many',
			})),
		});
		await trigger.activate();
		await trigger.poll();
		for (let from = 0; from < 1_000; from += 250) {
			answer(results(from, 250));
			await trigger.poll();
		}
		expect(trigger.fired).toHaveLength(1_000);

		// Found again, the first hundred become the youngest of the memory; one more displaces the next.
		answer(results(0, 100));
		await trigger.poll();
		answer(results(1_000, 1));
		await trigger.poll();
		answer(results(0, 100));
		await trigger.poll();
		expect(trigger.fired).toHaveLength(1_001);
		answer(results(100, 1));
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(urlsOf(trigger.fired).slice(1_000)).toEqual([
			'https://a.example/1000',
			'https://a.example/100',
		]);
	});

	it('is not overtaken by its next check', async () => {
		const trigger = watch();
		await trigger.activate();
		await trigger.poll();
		add('first');
		testBed.service.log.clear();
		testBed.service.faults.add({ kind: 'delay', delayMs: 60_000 });

		const slow = trigger.poll();
		await testBed.service.clock.untilWaiting(1);
		await trigger.poll();
		await testBed.service.clock.advance(60_000);
		await slow;
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first')]);
		expect(testBed.sent).toHaveLength(2);
	});
});

describe('a watched search', () => {
	const watch = (parameters: INodeParameters) => watcher(testBed, parameters);

	it('knows a result again whose address is tracked otherwise each time', async () => {
		const found = (mark: string) =>
			answer({ web: [{ url: `https://shop.example/mug?srsltid=${mark}&sid=${mark}&gbraid=1` }] });
		const trigger = watch({ triggerOptions: { ignoreQueryParameters: 'sid, session*' } });
		found('a');
		await trigger.activate();
		found('b');
		await trigger.poll();
		found('c');
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toEqual([]);
	});

	it.each<[string, INodeParameters, number]>([
		['nothing', {}, 0],
		['everything', { firstCheck: 'all' }, 3],
		['everything, each by itself', { firstCheck: 'all', executions: 'each' }, 3],
		['the newest', { firstCheck: 'newest', newestCount: 2 }, 2],
		['no more than there is', { firstCheck: 'newest' }, 3],
	])('fires at the first check for %s', async (_name, parameters, count) => {
		add('first', 'second', 'third');
		const trigger = watch(parameters);

		await trigger.activate();
		await trigger.poll();
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(new Set(urlsOf(trigger.fired)).size).toBe(count);
		expect(trigger.fired).toHaveLength(count);

		add('fourth');
		await trigger.poll();
		expect(urlsOf(trigger.fired).slice(count)).toEqual([addressOf('fourth')]);
	});

	it('starts afresh when something else is searched for', async () => {
		add('first');
		const first = { query: `${topic} inurl:finds`, firstCheck: 'all' };
		const trigger = watch({ firstCheck: 'all' });
		await trigger.activate();
		await trigger.change(first);
		await trigger.change({ ...first, additionalFields: { country: 'DE' } });
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(urlsOf(trigger.fired)).toEqual(Array.from({ length: 3 }, () => addressOf('first')));
	});

	it.each<[string, INodeParameters]>([
		['the limit', { limit: 50 }],
		['everything', { returnAll: true }],
		['the format of pages', { readPages: true, formats: ['links'] }],
		['highlights', { additionalFields: { highlights: false } }],
		['the longest time', { additionalFields: { timeout: 20_000 } }],
		['the period', { additionalFields: { tbs: { range: 'qdr:y' } } }],
		[
			"a source's period",
			{ sources: { values: [{ type: 'web', options: { tbs: { range: 'qdr:m' } } }] } },
		],
		['how it fires', { executions: 'each', firstCheck: 'newest' }],
		['the size of the memory', { triggerOptions: { maxRemembered: 2_000 } }],
		['how hard it tries', { retries: { maxTries: 2 } }],
	])('remembers on when only %s changes', async (_name, change) => {
		add('first');
		const sources = { values: [{ type: 'web', options: { tbs: { range: 'qdr:y' } } }] };
		const before = 'sources' in change ? { sources } : {};
		const trigger = watch({ ...before, firstCheck: 'all' });
		await trigger.activate();
		await trigger.poll();
		expect(trigger.fired).toHaveLength(1);

		await trigger.change({ query: topic, firstCheck: 'all', ...change });
		add('second');
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first'), addressOf('second')]);
	});

	it('fires again when one of the compared fields has changed', async () => {
		add('first', 'second');
		const trigger = watch({ triggerOptions: { compareFields: 'title, metadata.author' } });
		await trigger.activate();
		await trigger.poll();

		testBed.service.site.update(addressOf('first'), { title: `A new ${topic} title` });
		testBed.service.site.update(addressOf('second'), { description: 'Told in other words' });
		await trigger.poll();
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([
			{ url: addressOf('first'), title: `A new ${topic} title`, found: 'changed' },
		]);
	});

	it('is not mistaken for changed where two sources describe it in their own ways', async () => {
		const trigger = watcher(testBed, { triggerOptions: { compareFields: 'title' } });
		const both = {
			web: [{ url: 'https://a.example/x', title: 'As a page' }],
			news: [{ url: 'https://a.example/x', title: 'As news' }],
		};
		for (let round = 0; round < 3; round += 1) {
			answer(both);
			await (round === 0 ? trigger.activate() : trigger.poll());
		}

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toEqual([]);
	});

	it('leaves a field of its own named like that of the trigger in its place', async () => {
		const trigger = watcher(testBed, { firstCheck: 'all' });
		answer({ web: [{ url: 'https://a.example/x', found: 'in 1901' }] });
		await trigger.activate();

		expect(trigger.fired).toMatchObject([{ found: 'new', original: { found: 'in 1901' } }]);
	});
});

describe('watched papers', () => {
	it('fire once each, known by their ID', async () => {
		const trigger = watcher(testBed, { watch: 'paper', query: 'tide', k: 3, firstCheck: 'all' });
		await trigger.activate();
		await trigger.poll();
		expect(trigger.fired).toHaveLength(3);

		await trigger.change({ watch: 'paper', query: 'tide', k: 5, firstCheck: 'all' });
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		const ids = trigger.fired.map(({ paperId }) => paperId);
		expect(ids).toHaveLength(5);
		expect(new Set(ids).size).toBe(5);
	});
});
