import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../drivenTime.cjs';
import { keepings, PolledWorkflow } from '../polledWorkflow.cjs';
import { useTestBed, type Account } from '../testBed.cjs';
import { live } from './drivenDays.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);

const watcher = (account: Account, more: INodeParameters = {}) =>
	new PolledWorkflow(testBed.engine, {
		type: 'webDataPollingTrigger',
		credentials: account.credentials,
		keeping: keepings.at(-1),
		parameters: { watch: 'credits', remainingBelow: 1_000, ...more },
	});

describe('watched credits', () => {
	it.each<[string, INodeParameters]>([
		['a number', { remainingBelow: 1_000 }],
		['a share of the plan', { remainingBelow: 20, remainingUnit: 'percent' }],
	])('fire once below %s, and again after they rose', async (_name, parameters) => {
		const account = testBed.account({ credits: 5_000 });
		const { ledger } = testBed.service;
		const spend = (credits: number) =>
			ledger.charge({ teamId: account.team.id, requestId: 'r', endpoint: '/v2/crawl', credits });
		const trigger = watcher(account, parameters);
		await time.drive(trigger.activate());
		for (const credits of [3_900, 300, 100, -2_000, 2_000]) {
			spend(credits);
			await time.drive(trigger.poll());
		}

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([
			{ change: 'low', current: 800, previous: 1_100, limit: 1_000, planCredits: 5_000 },
			{ change: 'low', current: 700, previous: 2_700 },
		]);
	});

	it('fire at the first check if they are low already, and by hand always', async () => {
		const account = testBed.account({ credits: 900 });
		const trigger = watcher(account);
		const shown = PolledWorkflow.itemsOf(await time.drive(trigger.fetchTestEvent()));
		expect(shown).toMatchObject([{ json: { current: 900, change: 'low' } }]);
		expect(trigger.stored).toEqual({});

		await time.drive(trigger.activate());

		expect(trigger.fired).toHaveLength(1);
	});

	it('refuse a share of more than the plan before any request', async () => {
		const trigger = watcher(testBed.account(), { remainingBelow: 101, remainingUnit: 'percent' });

		await expect(time.drive(trigger.activate())).rejects.toThrow('must be 100 or less');
		expect(testBed.service.log.entries).toEqual([]);
	});

	it('fire at each fall of 300 days once, whatever fails', async () => {
		const limit = 1_000;
		const account = testBed.account({ credits: 5_000 });
		const { service } = testBed;
		const trigger = watcher(account, { executions: 'each', retries: { maxTries: 1 } });
		const { id: teamId } = account.team;
		const left = () => account.team.credits - service.ledger.spent(teamId);
		/** The credits that the mock server had left at the time of each check. */
		const creditsAt = new Map<string, number>();
		/** The time of the check that the trigger remembers, before each poll. */
		const remembered: string[] = [];
		trigger.beforePoll = ({ state }) => {
			creditsAt.set(new Date().toISOString(), left());
			remembered.push(String(Object(state).checkedAt ?? ''));
		};

		const met = await live({
			trigger,
			service,
			time,
			days: 300,
			seed: 3,
			change: (random) => {
				const credits = left() - random(2_000);
				service.ledger.charge({ teamId, requestId: 'r', endpoint: '/v2/crawl', credits });
			},
			faults: [
				{ kind: 'status', status: 500 },
				{ kind: 'reset' },
				{ kind: 'truncate' },
				{ kind: 'html' },
			],
		});

		const isLow = (check: string) => Number(creditsAt.get(check)) < limit;
		const checks = remembered
			.map((check, index) => ({ check, before: remembered[index - 1] ?? '' }))
			// After a kill it remembers an earlier check than before.
			.filter(({ check, before }) => check > before);
		const low = checks.filter(({ check }) => isLow(check));
		const falls = low.filter(({ before }) => !isLow(before)).map(({ check }) => check);
		expect(trigger.fired.map(({ checkedAt }) => checkedAt)).toEqual(falls);
		expect(trigger.fired.map(({ current }) => current)).toEqual(
			falls.map((check) => creditsAt.get(check)),
		);
		expect(falls.length).toBeGreaterThan(20);
		// Lower credits alone are no fall.
		expect(low.length).toBeGreaterThan(falls.length * 2);
		expect(checks.length).toBeGreaterThan(200);
		expect(met.kills).toBeGreaterThan(0);
		expect(trigger.errors.length).toBeGreaterThan(met.faults / 2);
		expect(met.largest).toBeLessThan(300);
	});
});
