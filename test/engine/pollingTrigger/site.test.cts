import { useDrivenTime } from '../drivenTime.cjs';
import { addressOf, textOf } from '../site/handbook.cjs';
import { useTestBed } from '../testBed.cjs';
import { watchedSite } from './watchedSite.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);

describe('a watched website', () => {
	it('fires for new, changed and removed pages, once', async () => {
		const { handbook, trigger } = await watchedSite(testBed, time, 4);
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
		const { trigger } = await watchedSite(testBed, time, 3, {
			firstCheck: 'all',
			executions: 'each',
		});

		expect(trigger.fired.map(({ change }) => change)).toEqual(['new', 'new', 'new', 'new']);
	});

	it('fires for nothing where the website was replaced, which is an error', async () => {
		const { handbook, trigger } = await watchedSite(testBed, time, 4);
		handbook.replaceAll({ title: 'Log in', markdown: 'Please log in' });

		await time.drive(trigger.poll());

		expect(trigger.fired).toEqual([]);
		expect(trigger.errors).toMatchObject([{ message: expect.stringContaining('same content') }]);
	});
});
