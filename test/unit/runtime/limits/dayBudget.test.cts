import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { dayAt, todayOf } from '../../../../nodes/runtime/limits/dayBudget';
import { errorSource } from '../../schemaAssertions.cjs';
import { reserve, type Spending } from '../../../../nodes/runtime/limits/budget';

const noon = new Date('2026-11-23T12:00:00Z');
const nextNoon = new Date('2026-11-24T12:00:00Z');

/** An execution of a workflow, with the static data that n8n has read for it. */
const execution = (id: string, data: IDataObject = {}, timezone = 'UTC') => ({
	data,
	getWorkflow: () => ({ id, name: 'W', active: true }),
	getWorkflowStaticData: (type: string) => (type === 'global' ? data : {}),
	getTimezone: () => timezone,
});

/** The data as n8n stores them, for the execution after. */
const stored = ({ data }: { data: IDataObject }) => JSON.parse(JSON.stringify(data)) as IDataObject;

async function cost(spending: Spending, credits: number, limit = Infinity): Promise<void> {
	const budgets = [{ name: 'Max Credits per Day', spending, limit, until: 'then' }];
	const guarded = { budgets, errorSource: errorSource() };
	(await reserve(credits, guarded)).settle();
}

describe('a day', () => {
	it.each([
		['2026-11-23T12:00:00Z', 'UTC', '2026-11-23'],
		['2026-11-23T23:30:00Z', 'Europe/Berlin', '2026-11-24'],
		['2026-11-23T23:30:00Z', 'America/New_York', '2026-11-23'],
		['2026-03-29T23:59:59Z', 'Pacific/Kiritimati', '2026-03-30'],
		['2027-01-01T00:00:00Z', 'America/Los_Angeles', '2026-12-31'],
	])('at %s in %s is %s', (moment, timezone, day) => {
		expect(dayAt(new Date(moment), timezone)).toBe(day);
	});
});

describe('what a workflow spends on a day', () => {
	it('is one for all its executions, and of no other workflow', () => {
		const [id, other] = [randomUUID(), randomUUID()];
		const { spending } = todayOf(execution(id), noon);
		expect(todayOf(execution(id), noon).spending).toBe(spending);
		expect(todayOf(execution(other), noon).spending).not.toBe(spending);
	});

	it('holds until midnight in the timezone of the workflow', () => {
		const berlin = execution(randomUUID(), {}, 'Europe/Berlin');
		expect(todayOf(berlin, noon).until).toBe('2026-11-24 00:00 (Europe/Berlin)');
		const yearEnd = execution(randomUUID());
		expect(todayOf(yearEnd, new Date('2026-12-31T23:59:59Z')).until).toBe('2027-01-01 00:00 (UTC)');
	});

	it('begins anew on the next day, where what is under way counts when it ends', async () => {
		const run = execution(randomUUID());
		const { spending } = todayOf(run, noon);
		await cost(spending, 90);
		await expect(cost(spending, 11, 100)).rejects.toThrow('10 are left');
		const late = await spending.reserve(5, 100);
		await cost(todayOf(run, nextNoon).spending, 80, 100);
		if (typeof late === 'object') late.settle(7);
		await expect(cost(todayOf(run, nextNoon).spending, 14, 100)).rejects.toThrow('13 are left');
		expect(stored(run)).toEqual({ webDataCredits: { date: '2026-11-24', spent: 87 } });
	});

	it('is stored whole by whichever execution ends last', async () => {
		const id = randomUUID();
		const [one, other] = [execution(id), execution(id)];
		await cost(todayOf(one, noon).spending, 10);
		await cost(todayOf(other, noon).spending, 20);
		expect(stored(one)).toEqual({ webDataCredits: { date: '2026-11-23', spent: 30 } });
		expect(stored(other)).toEqual(stored(one));
	});

	it.each<[string, unknown, number]>([
		['by another process', { date: '2026-11-23', spent: 60 }, 40],
		['on another day', { date: '2026-11-22', spent: 60 }, 90],
		['before, less than is known here', { date: '2026-11-23', spent: 3 }, 90],
		['as nothing that this node writes', 'x', 90],
	])('knows what was stored %s', async (_how, kept, left) => {
		const id = randomUUID();
		await cost(todayOf(execution(id), noon).spending, 10);
		const run = execution(id, { webDataCredits: kept as IDataObject, own: 1 });
		const { spending } = todayOf(run, noon);
		await expect(cost(spending, left + 1, 100)).rejects.toThrow(`${left} are left`);
		await cost(spending, left, 100);
		expect(stored(run)).toEqual({ own: 1, webDataCredits: { date: '2026-11-23', spent: 100 } });
	});
});
