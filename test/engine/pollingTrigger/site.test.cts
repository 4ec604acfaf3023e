import type { INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock-server/faults.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { keepings, PolledWorkflow } from '../polledWorkflow.cjs';
import { addressOf, Handbook, start, textOf } from '../site/handbook.cjs';
import { useTestBed, type Account } from '../testBed.cjs';
import { live, longLife } from './drivenDays.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);

/** A website of some pages, and a trigger that has polled it for the first time. */
async function watched(pages: number, more: INodeParameters = {}, account?: Account) {
	const handbook = new Handbook(testBed.service.site);
	handbook.open(pages);
	const { credentials } = account ?? testBed.account({ credits: 1_000_000 });
	const trigger = new PolledWorkflow(testBed.engine, {
		type: 'webDataPollingTrigger',
		credentials,
		keeping: keepings.at(-1),
		parameters: { watch: 'site', url: start, ...more },
	});
	await time.drive(trigger.activate());
	await time.drive(trigger.poll());
	return { handbook, trigger };
}

describe('a watched website', () => {
	it('fires for new, changed and removed pages, once', async () => {
		const { handbook, trigger } = await watched(4);
		expect(trigger.executions).toEqual([]);

		handbook.add('5');
		handbook.change('1', textOf('1', 2));
		handbook.remove('2');
		await time.drive(trigger.poll());
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.executions).toHaveLength(1);
		expect(trigger.fired).toMatchObject([
			{ change: 'removed' },
			{ change: 'changed', url: addressOf('1'), current: { markdown: expect.any(String) } },
			{ change: 'new', url: addressOf('5'), request: { strategy: 'crawl', creditsUsed: 5 } },
		]);
	});

	it('fires for all pages at the first check when it should', async () => {
		const { trigger } = await watched(3, { firstCheck: 'all', executions: 'each' });

		expect(trigger.fired.map(({ change }) => change)).toEqual(['new', 'new', 'new', 'new']);
	});

	it('fires for nothing where the website was replaced, which is an error', async () => {
		const { handbook, trigger } = await watched(4);
		handbook.replaceAll({ title: 'Log in', markdown: 'Please log in' });

		await time.drive(trigger.poll());

		expect(trigger.fired).toEqual([]);
		expect(trigger.errors).toMatchObject([{ message: expect.stringContaining('same content') }]);
	});

	it(
		'fires once for each change of 300 days, whatever fails',
		async () => {
			const account = testBed.account({ credits: 1_000_000 });
			const { handbook, trigger } = await watched(
				6,
				{ executions: 'each', retries: { maxTries: 1 } },
				account,
			);
			const versions = new Map(['1', '2', '3', '4', '5', '6'].map((name) => [name, 1]));
			let named = 6;
			const onCrawl = (fault: FaultInput): FaultInput => ({ ...fault, path: '/v2/crawl*' });

			const met = await live({
				trigger,
				service: testBed.service,
				time,
				days: 300,
				seed: 5,
				change: (random, day) => {
					const names = [...versions.keys()];
					const name = names[random(names.length)];
					if (random(6) === 0) {
						named += 1;
						handbook.add(String(named), textOf(String(named), day));
						versions.set(String(named), day);
					} else if (random(8) === 0 && names.length > 4) {
						handbook.remove(name);
						versions.delete(name);
					} else if (random(2) === 0) {
						handbook.change(name, textOf(name, day));
						versions.set(name, day);
					}
				},
				faults: [
					onCrawl({ kind: 'status', status: 500 }),
					onCrawl({ kind: 'status', status: 401 }),
					onCrawl({ kind: 'status', status: 401, skip: 2, count: 50 }),
					onCrawl({ kind: 'truncate', skip: 3 }),
				],
			});

			const known = new Map<unknown, string>(
				['1', '2', '3', '4', '5', '6'].map((name) => [name, textOf(name, 1)]),
			);
			const ids = new Map<unknown, string>();
			let removed = 0;
			for (const { change, url, pageId, current } of trigger.fired) {
				const name = String(url).split('/').at(-1) ?? '';
				const text: string = Object(current).markdown;
				if (change === 'removed') {
					removed += 1;
					if (ids.has(pageId)) known.delete(ids.get(pageId));
					continue;
				}
				ids.set(pageId, name);
				expect(known.has(name)).toBe(change === 'changed');
				expect(text).not.toBe(known.get(name));
				known.set(name, text);
			}
			for (const [name, version] of versions) {
				expect(known.get(name)).toContain(`version ${version}.`);
			}
			expect(removed).toBe(named - versions.size);
			expect(trigger.fired.length).toBeGreaterThan(100);
			expect(met.kills).toBeGreaterThan(5);
			expect(met.largest).toBeLessThan(5_000);
		},
		longLife,
	);
});
