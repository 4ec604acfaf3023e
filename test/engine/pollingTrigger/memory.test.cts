import { useTestBed } from '../testBed.cjs';
import { PolledWorkflow } from '../polledWorkflow.cjs';
import { addressOf, page, urlsOf, watcher } from './watching.cjs';

const testBed = useTestBed();
const add = (...names: string[]) => names.forEach((name) => testBed.service.site.add(page(name)));

describe('a test by hand', () => {
	it('shows what there is, and remembers nothing', async () => {
		add('first', 'second');
		const trigger = watcher(testBed, { executions: 'each' });

		const run = await trigger.fetchTestEvent();

		expect(run.error?.message).toBeUndefined();
		const shown = PolledWorkflow.itemsOf(run).map(({ json }) => json);
		expect(urlsOf(shown).sort()).toEqual([addressOf('first'), addressOf('second')]);
		expect(shown).toMatchObject([{ change: 'new' }, { change: 'new' }]);
		expect(trigger.stored).toEqual({});
		expect(trigger.executions).toEqual([]);
	});

	it('shows the error that a check would meet', async () => {
		testBed.service.faults.add({ kind: 'status', status: 402 });

		const run = await watcher(testBed).fetchTestEvent();

		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('Insufficient credits');
	});
});

describe("the trigger's memory", () => {
	it('of 10,000 results takes less than 120 kB, and forgets the oldest', async () => {
		const trigger = watcher(testBed, { firstCheck: 'all' });
		const portion = 5_000;
		for (let from = 0; from <= 10_000; from += portion) {
			const web = Array.from({ length: portion }, (_, index) => ({
				url: `https://a.example/${from + index}`,
			}));
			testBed.service.faults.add({
				kind: 'status',
				status: 200,
				body: { success: true, data: { web }, id: 'job', creditsUsed: 2 },
			});
			await (from === 0 ? trigger.activate() : trigger.poll());
		}

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toHaveLength(10_000 + portion);
		const size = Buffer.byteLength(JSON.stringify(trigger.stored));
		expect(size).toBeGreaterThan(110_000);
		expect(size).toBeLessThan(110_500);
	});
});

describe('the files of what it finds', () => {
	const files = () => testBed.service.log.entries.filter(({ path }) => path.startsWith('/_files/'));

	it('are downloaded for what fires, and for nothing else', async () => {
		add('first', 'second');
		const trigger = watcher(testBed, {
			scrapeResults: true,
			formats: ['screenshot'],
			options: { downloadFiles: true },
		});
		await trigger.activate();
		await trigger.poll();
		expect(files()).toEqual([]);

		add('third');
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(files()).toHaveLength(1);
		const [[item]] = trigger.executions;
		expect(item.json.url).toBe(addressOf('third'));
		expect(item.binary?.screenshot).toMatchObject({ mimeType: 'image/png' });
		expect((await testBed.engine.binary(item, 'screenshot')).subarray(1, 4).toString()).toBe('PNG');
		expect(item).not.toHaveProperty('pairedItem');
	});
});
