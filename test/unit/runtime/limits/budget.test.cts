import { creditsIn, reserve, Spending, spendingOf } from '../../../../nodes/runtime/limits/budget';
import { serviceError } from '../../../../nodes/runtime/api/serviceError';
import type { Failure } from '../../../../nodes/runtime/api/retry';
import { errorSource } from '../../schemaAssertions.cjs';

const budget = (spending: Spending, limit?: number) => ({
	name: 'Max Credits per Execution',
	spending,
	limit,
});

const guard = (spending: Spending, limit?: number) => ({
	budgets: [budget(spending, limit)],
	errorSource: errorSource(),
});

/** Work that ends when the test says so, with what it then cost. */
function work(spending: Spending, price: number, limit: number, mayCostMore = false) {
	let end: (known?: number) => void = () => undefined;
	let begun = false;
	const guarded = { ...guard(spending, limit), mayCostMore };
	const done = reserve(price, guarded).then(async (charge) => {
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

/** The error after a single try of what is charged with its answer. */
const errorAfter = (failure: Failure) =>
	serviceError(
		failure,
		{ attemptCount: 1, elapsed: 0, retrySafety: 'mayChargeTwice' },
		errorSource(),
	);

/** Lets everything run that waits for nothing but its turn. */
const turn = async () => await new Promise((resolve) => setImmediate(resolve));

describe('what an answer cost', () => {
	it.each<[unknown, number | undefined]>([
		[{ creditsUsed: 4, data: { creditsUsed: 1 } }, 4],
		[{ creditsUsed: 0 }, 0],
		[{ creditsBilled: 6 }, 6],
		[{ data: { creditsUsed: 3 } }, 3],
		[{ data: { creditsCost: 2 } }, 2],
		[{ data: { metadata: { creditsUsed: 5 } } }, 5],
		[{ creditsUsed: '4' }, undefined],
		[{ creditsUsed: -1 }, undefined],
		[{ data: [] }, undefined],
		['', undefined],
		[null, undefined],
	])('is found in %j', (body, credits) => {
		expect(creditsIn(body)).toBe(credits);
	});
});

describe('the spending of a node', () => {
	it('goes up to the limit, and no further', async () => {
		const spending = new Spending();
		const sent: number[] = [];
		const outcomes = await Promise.allSettled(
			Array.from({ length: 6 }, async (_, index) => {
				const charge = await reserve(2, guard(spending, 7));
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

	it('waits for the true cost of what is under way before it refuses', async () => {
		const spending = new Spending();
		const first = work(spending, 8, 10);
		const second = work(spending, 5, 10);
		await turn();
		expect([first.hasBegun(), second.hasBegun()]).toEqual([true, false]);
		await first.finish(1);
		await turn();
		expect(second.hasBegun()).toBe(true);
		await second.finish();
		await expect(work(spending, 5, 10).done).rejects.toThrow(/may cost 5 credits.*6 are spent/);
	});

	it('counts what cost more than was set aside', async () => {
		const spending = new Spending();
		const first = work(spending, 1, 10);
		await turn();
		await first.finish(12);
		await expect(work(spending, 1, 10).done).rejects.toThrow(/12 are spent/);
	});

	it('gives what may cost more than its price all that is left, alone', async () => {
		const spending = new Spending();
		const first = work(spending, 4, 10);
		const open = work(spending, 2, 10, true);
		await turn();
		expect([first.hasBegun(), open.hasBegun()]).toEqual([true, false]);
		await first.finish(3);
		await turn();
		const third = work(spending, 1, 10);
		await turn();
		expect([open.hasBegun(), third.hasBegun()]).toEqual([true, false]);
		await open.finish(5);
		await turn();
		expect(third.hasBegun()).toBe(true);
		await third.finish();
		await expect(work(spending, 2, 10, true).done).rejects.toThrow(/may cost 2 credits.*9 are/);
	});

	it('counts all that was left where nobody told what such work cost', async () => {
		const spending = new Spending();
		const open = work(spending, 2, 10, true);
		await turn();
		await open.finish();
		await expect(work(spending, 1, 10).done).rejects.toThrow(/10 are spent/);
	});

	it('lets such work run beside others where there is no limit', async () => {
		const spending = new Spending();
		const first = work(spending, 2, Infinity, true);
		const second = work(spending, 2, Infinity, true);
		await turn();
		expect([first.hasBegun(), second.hasBegun()]).toEqual([true, true]);
		await Promise.all([first.finish(), second.finish()]);
		await expect(work(spending, 1, 4).done).rejects.toThrow(/4 are spent/);
	});

	it('has no limit unless there is one, and counts all the same', async () => {
		const spending = new Spending();
		(await reserve(50, guard(spending))).settle();
		await expect(work(spending, 1, 20).done).rejects.toThrow(/of the 20.*50 are spent/);
	});

	it('lets what is free pass, also where more than the limit was spent', async () => {
		const spending = new Spending();
		const job = work(spending, 5, 10);
		const dear = work(spending, 5, 10);
		await turn();
		await dear.finish(9);
		// A job's own results are read while what is set aside for it still is.
		const reading = work(spending, 0, 10);
		await turn();
		expect(reading.hasBegun()).toBe(true);
		await Promise.all([reading.finish(), job.finish(9)]);
		const other = work(spending, 0, 10);
		await turn();
		expect(other.hasBegun()).toBe(true);
		await other.finish(0);
	});

	it('does not count a refusal, and counts what got no answer', async () => {
		const spending = new Spending();
		const refused = errorAfter({ response: { status: 402, headers: {}, body: {} } });
		const lost = errorAfter({ networkError: { code: 'ECONNRESET', message: 'reset' } });
		for (const error of [refused, lost]) {
			(await reserve(3, guard(spending))).settle(error);
		}
		await expect(work(spending, 1, 3).done).rejects.toThrow(/of the 3 .* 3 are spent/);
	});

	it.each([
		['the price of an error', (code: string) => (code === 'SCRAPE_TIMEOUT' ? 5 : 0), 5],
		['nothing where an error has no price', undefined, 0],
	])('counts %s', async (_what, costOfError, credits) => {
		const spending = new Spending();
		const body = { success: false, code: 'SCRAPE_TIMEOUT', error: 'No' };
		const error = errorAfter({ response: { status: 403, headers: {}, body } });
		const guarded = { ...guard(spending), costOfError };
		(await reserve(9, guarded)).settle(error);
		await expect(work(spending, 9, 9 + credits - 1).done).rejects.toThrow(`${credits} are spent`);
	});

	it('must be allowed by every budget: what one refuses, the other gets back', async () => {
		const [execution, day] = [new Spending(), new Spending({ spent: 90 })];
		const both = {
			budgets: [
				budget(execution, 20),
				{ name: 'Max Credits per Day', spending: day, limit: 100, until: 'midnight' },
			],
			errorSource: errorSource(),
		};
		await expect(reserve(15, both)).rejects.toMatchObject({
			message:
				"Not sent: it may cost 15 credits; of the 100 of 'Max Credits per Day' 10 are left until midnight [item 0]",
			description: expect.stringMatching(/^Nothing was charged for it\. Wait until then, or raise/),
		});
		const charge = await reserve(10, both);
		charge.known = 4;
		charge.settle();
		await expect(reserve(16, both)).rejects.toThrow(/of the 100 .* 6 are left/);
		await expect(work(execution, 17, 20).done).rejects.toThrow(/4 are spent/);
	});

	it('says that nothing is left where more was spent than the limit', async () => {
		const day = { name: 'D', spending: new Spending({ spent: 12 }), limit: 10, until: 'then' };
		const guarded = { budgets: [day], errorSource: errorSource() };
		await expect(reserve(1, guarded)).rejects.toThrow(/of the 10 of 'D' 0 are left until then/);
	});

	it('waits for others no longer than the execution lasts', async () => {
		const spending = new Spending();
		const stop = new AbortController();
		const first = work(spending, 8, 10);
		const guarded = { ...guard(spending, 10), signal: stop.signal };
		const second = reserve(5, guarded);
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
