import { reserve, Spending, spendingOf } from '../../../../nodes/runtime/spending/budget';
import type { RequestContext } from '../../../../nodes/runtime/http/send';
import { asRequest } from '../../requests.cjs';
import { errorSource } from '../../schemaAssertions.cjs';

const paid = (price?: number) => ({ ...asRequest({ method: 'POST', path: '/scrape' }), price });

const within = (spending: Spending, limit?: number, rest: Partial<RequestContext> = {}) =>
	[spending, limit, { errorSource: errorSource(), ...rest }] as const;

/** A request that ends when the test says so, with what it then cost. */
function work(spending: Spending, price: number | undefined, limit: number) {
	let end: (known?: number) => void = () => undefined;
	let begun = false;
	const done = reserve(paid(price), ...within(spending, limit)).then(async ({ charge }) => {
		begun = true;
		charge.known = await new Promise<number | undefined>((resolve) => (end = resolve));
		charge.settle();
	});
	const finish = async (known?: number) => {
		end(known);
		await done;
	};
	return { done, finish, hasBegun: () => begun };
}

/** Lets everything run that waits for nothing but its turn. */
const turn = async () => await new Promise((resolve) => setImmediate(resolve));

describe('The spending of a node', () => {
	it('goes up to the limit, and no further', async () => {
		const spending = new Spending();
		const sent: number[] = [];
		const outcomes = await Promise.allSettled(
			Array.from({ length: 6 }, async (_, index) => {
				const { charge } = await reserve(paid(2), ...within(spending, 7));
				sent.push(index);
				charge.settle();
			}),
		);
		expect(sent).toEqual([0, 1, 2]);
		expect(outcomes.map(({ status }) => status)).toEqual([
			...Array<string>(3).fill('fulfilled'),
			...Array<string>(3).fill('rejected'),
		]);
		expect(outcomes[5]).toMatchObject({
			reason: {
				message: expect.stringMatching(/may cost 2 credits.*of the 7 of 'Max Credits per.*6 are/),
				description: expect.stringMatching(/Nothing was charged/),
			},
		});
	});

	it('waits for the actual cost of running requests before it rejects one', async () => {
		const spending = new Spending();
		const first = work(spending, 8, 10);
		const second = work(spending, 5, 10);
		await turn();
		expect([first.hasBegun(), second.hasBegun()]).toEqual([true, false]);
		await first.finish(1);
		while (!second.hasBegun()) await turn();
		await second.finish();
		await expect(work(spending, 5, 10).done).rejects.toThrow(/may cost 5 credits.*6 are spent/);
	});

	it('counts what cost more than was reserved', async () => {
		const spending = new Spending();
		const first = work(spending, 1, 10);
		await turn();
		await first.finish(12);
		await expect(work(spending, 1, 10).done).rejects.toThrow(/12 are spent/);
		await expect(work(spending, 0, 10).done).rejects.toThrow(/may cost 1 credit;.*12 are spent/);
	});

	it('has no limit unless there is one, and counts all the same', async () => {
		const spending = new Spending();
		(await reserve(paid(50), ...within(spending))).charge.settle();
		await expect(work(spending, 1, 20).done).rejects.toThrow(/of the 20.*50 are spent/);
	});

	it('allows free requests, also after more than the limit was spent', async () => {
		const spending = new Spending();
		const job = work(spending, 10, 10);
		await turn();
		// A job's own results are fetched while its credits are reserved.
		const reading = work(spending, undefined, 10);
		await turn();
		expect(reading.hasBegun()).toBe(true);
		await Promise.all([reading.finish(0), job.finish(19)]);
		await reserve(paid(), ...within(spending, 10));
		expect(spending.spent).toBe(19);
	});

	it('gives a job what is left, as the limit of its request', async () => {
		const spending = new Spending();
		const notices: string[] = [];
		const notice = (text: string) => void notices.push(text);
		const crawl = { ...paid(100), body: { url: 'u', limit: 100 }, limitedBy: 'limit' as const };
		const start = async () => await reserve(crawl, ...within(spending, 150, { notice }));
		const first = await start();
		expect(first.affordable).toBe(crawl);
		const second = await start();
		expect(second.affordable.body).toEqual({ url: 'u', limit: 50 });
		expect(notices).toEqual([
			"50 credits are left of 'Max Credits per Execution': 'limit' is 50 instead of 100.",
		]);
		const third = start();
		first.charge.known = 100;
		first.charge.settle();
		second.charge.known = 20;
		second.charge.settle();
		expect((await third).affordable.body).toEqual({ url: 'u', limit: 30 });
		(await third).charge.settle();
		await expect(start()).rejects.toThrow(/may cost 100 credits.*150 are spent/);
	});

	it('waits for others no longer than the execution lasts', async () => {
		const spending = new Spending();
		const stop = new AbortController();
		const first = work(spending, 8, 10);
		const second = reserve(paid(5), ...within(spending, 10, { signal: stop.signal }));
		stop.abort();
		await expect(second).rejects.toThrow(/stopped|cancel/i);
		await first.finish(8);
		await expect(work(spending, 5, 10).done).rejects.toThrow(/8 are spent/);
	});

	it('is one for all runs of a node in an execution, and of no other', () => {
		const [one, other] = [{}, {}];
		const spending = spendingOf(one, 'a');
		expect(spendingOf(one, 'a')).toBe(spending);
		expect(spendingOf(one, 'b')).not.toBe(spending);
		expect(spendingOf(other, 'a')).not.toBe(spending);
		expect(spendingOf(undefined, 'a')).not.toBe(spendingOf(undefined, 'a'));
	});
});
