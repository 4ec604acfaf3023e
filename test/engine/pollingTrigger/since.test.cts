import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../drivenTime.cjs';
import { keepings } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';
import { addressOf, page, urlsOf, watcher } from './watching.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);
const day = 86_400_000;

/** The time filters that the service was asked for, in order. */
const filters = () => testBed.sent.map((body) => (body as { tbs?: string }).tbs);

describe.each(keepings)('only since the last check (memory %s)', (keeping) => {
	const watch = (parameters: INodeParameters = {}) =>
		watcher(testBed, { ...parameters, triggerOptions: { onlySinceLastCheck: true } }, { keeping });

	it('asks from the day before the last check that succeeded', async () => {
		jest.setSystemTime(new Date('2026-03-01T12:00:00Z'));
		const trigger = watch({ firstCheck: 'all' });
		testBed.service.site.add(page('old', { published: '2020-01-01T00:00:00Z' }));
		await time.drive(trigger.activate());
		expect(urlsOf(trigger.fired)).toEqual([addressOf('old')]);

		jest.setSystemTime(new Date('2026-03-04T12:00:00Z'));
		testBed.service.faults.add({ kind: 'status', status: 402 });
		await time.drive(trigger.poll());
		testBed.service.site.add(page('new', { published: '2026-03-03T00:00:00Z' }));
		testBed.service.site.add(page('late', { published: '2026-02-01T00:00:00Z' }));
		await time.drive(trigger.poll());
		jest.setSystemTime(new Date('2026-03-05T12:00:00Z'));
		await time.drive(trigger.poll());

		expect(filters()).toEqual([
			undefined,
			'cdr:1,cd_min:02/28/2026,cd_max:03/04/2026',
			'cdr:1,cd_min:02/28/2026,cd_max:03/04/2026',
			'cdr:1,cd_min:03/03/2026,cd_max:03/05/2026',
		]);
		expect(trigger.errors).toHaveLength(1);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('old'), addressOf('new')]);
	});

	it('knows when that was after n8n was restarted', async () => {
		const trigger = watch({ firstCheck: 'all' });
		testBed.service.site.add(page('first'));
		await time.drive(trigger.activate());
		testBed.service.log.clear();

		await time.drive(trigger.restart());

		expect(filters()).toEqual([expect.stringMatching(/^cdr:1,cd_min:/)]);
	});
});

describe('only since the last check', () => {
	const watch = (parameters: INodeParameters) =>
		watcher(testBed, { ...parameters, triggerOptions: { onlySinceLastCheck: true } });

	it('searches without a period after the clock was set back, and misses nothing', async () => {
		jest.setSystemTime(new Date('2026-03-11T12:00:00Z'));
		const trigger = watch({ firstCheck: 'all' });
		testBed.service.site.add(page('first', { published: '2026-03-01T00:00:00Z' }));
		await time.drive(trigger.activate());
		testBed.service.site.add(page('second', { published: '2026-03-03T00:00:00Z' }));

		jest.setSystemTime(new Date('2026-03-04T12:00:00Z'));
		await time.drive(trigger.poll());
		jest.setSystemTime(new Date('2026-03-05T12:00:00Z'));
		await time.drive(trigger.poll());

		expect(filters()).toEqual([undefined, undefined, 'cdr:1,cd_min:03/03/2026,cd_max:03/05/2026']);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first'), addressOf('second')]);
	});

	it('keeps the order by date', async () => {
		const trigger = watch({ firstCheck: 'all', additionalFields: { tbs: { sortByDate: true } } });
		testBed.service.site.add(page('first'));
		await time.drive(trigger.activate());
		await time.drive(trigger.poll());

		expect(filters()).toEqual(['sbd:1', expect.stringMatching(/^sbd:1,cdr:1,cd_min:/)]);
	});

	it('is asked of every source that takes it', async () => {
		const web = { type: 'web', options: { location: 'Berlin,Germany' } };
		const trigger = watch({ firstCheck: 'all', sources: { values: [web, { type: 'news' }] } });
		testBed.service.site.add(page('first'));
		await time.drive(trigger.activate());
		await time.drive(trigger.poll());

		const [, { sources }] = testBed.sent as Array<{ sources: unknown }>;
		expect(sources).toEqual([
			{ type: 'web', location: 'Berlin,Germany', tbs: expect.stringMatching(/^cdr:1/) },
			{ type: 'news' },
		]);
	});

	it('asks for papers from the day on', async () => {
		jest.setSystemTime(new Date('2026-03-01T23:30:00Z'));
		const trigger = watch({ watch: 'paper', query: 'tide', firstCheck: 'all' });
		await time.drive(trigger.activate());
		await time.drive(trigger.poll());

		const asked = testBed.service.log.entries.map(({ query }) => query.from);
		expect(asked).toEqual([undefined, '2026-02-28']);
		expect(trigger.errors).toEqual([]);
	});
});

describe('a period of its own', () => {
	it('may move on with the date, and everything stays remembered', async () => {
		jest.setSystemTime(new Date('2026-03-02T12:00:00Z'));
		const from = '={{ $now.minus({ days: 30 }).toISO() }}';
		const trigger = watcher(testBed, {
			firstCheck: 'all',
			additionalFields: { tbs: { from } },
		});
		testBed.service.site.add(page('first', { published: '2026-03-01T00:00:00Z' }));
		await time.drive(trigger.activate());
		for (let days = 1; days <= 3; days += 1) {
			jest.setSystemTime(Date.now() + day);
			await time.drive(trigger.poll());
		}

		expect(trigger.errors).toEqual([]);
		expect(new Set(filters()).size).toBe(4);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first')]);
	});
});
