import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

/** A limit that the service lowers to the credits left, without a word. */
describe('the limit of a search', () => {
	const testBed = useTestBed();
	const looks = () => testBed.service.log.of('GET', '/v2/team/credit-usage');
	const search = async (
		credits: number,
		more: INodeParameters = {},
		{ overage = 0, items = 1 }: { overage?: number; items?: number } = {},
	) =>
		await testBed.search(
			{ query: 'harbour', limit: 20, ...more },
			{
				account: testBed.account({ credits, overage }),
				input: Array.from({ length: items }, () => ({})),
			},
		);
	const hintsOf = (run: Awaited<ReturnType<typeof search>>) =>
		run
			.hints()
			.map(({ message }) => message)
			.join();

	it.each<[string, INodeParameters]>([
		['', {}],
		[' in the whole response', { output: 'response' }],
	])('is said to be lowered where it was%s', async (_name, more) => {
		const lowered = await search(5, more);

		expect(lowered.status).toBe('success');
		expect(hintsOf(lowered)).toMatch(
			/The remaining credits lowered the limit of a search from 20 to 5/,
		);
	});

	it('is not said to be lowered where an overage covers it, or a search finds less by itself', async () => {
		expect(hintsOf(await search(5, { limit: 12 }, { overage: 100 }))).not.toMatch(/lowered/);
		const few = await search(1_000, { query: 'harbour nightingale-xyz', limit: 100 });
		expect(hintsOf(few)).not.toMatch(/lowered/);
	});

	it('is asked for once in an execution whose credits are enough, and not where all came', async () => {
		await search(100_000, { limit: 100 }, { items: 6 });
		expect(looks()).toHaveLength(1);
		testBed.service.reset();
		await search(100_000, { limit: 2 });
		expect(looks()).toEqual([]);
	});

	it('costs no search when the look at the credits fails', async () => {
		testBed.service.faults.add({
			path: '/v2/team/credit-usage',
			kind: 'status',
			status: 500,
			count: 9,
		});

		const found = await search(5);

		expect(found.output()).toHaveLength(5);
		expect(looks()).toHaveLength(1);
	});
});
