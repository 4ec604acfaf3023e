import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock/faults.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import type { EngineRun } from '../harness.cjs';
import { useTestBed, type SearchOptions } from '../testBed.cjs';

/** A call whose answer is read from the small web; it costs 1 credit. */
const templates = {
	provider: 'relayworks',
	capability: 'template-search',
	options: { query: 'retry' },
};
const offers = { provider: 'emberroast', capability: 'coffee-offers' };
const found = { data: { templates: expect.anything() as object } };

const list = (...calls: object[]): INodeParameters => ({ calls: JSON.stringify(calls) });
const rows = (run: EngineRun): IDataObject[] => run.output().map(({ json }) => json);

/** Data tools are run by one request for up to ten of them. */
describe('executing tools', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const run = async (parameters: INodeParameters, options?: SearchOptions) =>
		await time.drive(testBed.run('tool', 'execute', parameters, options));
	const requests = () => testBed.service.log.of('POST', '/v2/scrape');
	const requestIds = () => requests().map(({ headers }) => headers['x-request-id']);

	describe('of which some fail', () => {
		const wrong = { provider: 'relayworks', capability: 'no-such' };
		const unknown = { code: 'unknown_capability', message: 'No such tool', status: 404 };
		const down = { code: 'upstream_failed', message: 'The source is down.', chargeId: 'charge-1' };
		const invalid = { code: 'invalid_options', message: 'size is no option', status: 400 };
		/** Has the next request answered by these results of its calls. */
		const answer = (...alexandria: object[]) => {
			const body = { success: true, scrape_id: 'run-1', data: { alexandria, creditsCost: 1 } };
			testBed.service.faults.add({ kind: 'status', status: 200, path: '/v2/scrape', body });
		};

		it('returns the error of a call beside the items of the others', async () => {
			const { provider, capability } = templates;
			const first = { provider, capability, creditsCost: 1, data: { templates: {} } };
			answer(first, { ...wrong, error: unknown }, { ...offers, error: down });

			const ended = await run(list(templates, wrong, offers));

			expect(rows(ended)).toMatchObject([
				found,
				{ ...wrong, failed: { code: 'unknown_capability', status: 404 }, position: 2 },
				{ ...offers, failed: { code: 'upstream_failed', chargeId: 'charge-1' } },
			]);
			// n8n's Retry On Fail would repeat a green node whose first item has an error.
			expect(rows(ended).filter((row) => 'error' in row)).toEqual([]);
			const [{ message }] = ended.hints();
			expect(message).toMatch(
				/2 of 3 calls have no result.*relayworks\/no-such.*emberroast\/coffee-offers/,
			);
		});

		it.each<[string, object, object, RegExp, RegExp]>([
			[
				'with all that is known',
				offers,
				down,
				/^emberroast\/coffee-offers: The source is down.*\(upstream_failed\); charged anyway \(charge /,
				/./,
			],
			['of a tool that does not exist', wrong, unknown, /./, /^Check provider and capability: /],
			['of options that are wrong', offers, invalid, /./, /correct the field in the message/],
		])('is an error %s if every call failed', async (_name, call, fault, message, advice) => {
			answer({ ...call, error: fault });

			const { error } = await run(list(call));

			expect(error?.message).toMatch(message);
			expect(error?.description).toMatch(advice);
			expect(error?.description).not.toMatch(/7 days/);
		});
	});

	/** Trouble on the way: whatever happens, calls are paid for once. */
	describe('in trouble', () => {
		const path = '/v2/scrape';
		const unresolved = { status: 503, code: 'request_unresolved', error: 'Not resolved yet.' };
		const named = (requestId: string, call: object = templates): INodeParameters => ({
			...list(call),
			additionalFields: { requestId },
		});

		it.each<[string, FaultInput]>([
			['503 request_unresolved', { kind: 'status', ...unresolved, stage: 'after' }],
			['a connection lost while it works', { kind: 'reset', stage: 'during' }],
			['an answer cut short', { kind: 'truncate' }],
		])('is repeated under its name and charged once: %s', async (_name, fault) => {
			const account = testBed.account();
			testBed.service.faults.add({ ...fault, path, count: 2 });

			const ended = await run(list(templates), { account });

			expect(requests().map(({ body }) => body)).toEqual(
				Array(3).fill({ alexandria: [templates] }),
			);
			expect(new Set(requestIds()).size).toBe(1);
			expect(rows(ended)).toMatchObject([{ ...found, creditsCost: 1 }]);
			expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
		});

		it("gets the stored answer by the user's own name, which serves no other calls", async () => {
			const account = testBed.account();

			const first = await run(named(' order:4711 '), { account });
			const second = await run(named('order:4711'), { account });
			const other = await run(named('order:4711', offers), { account });

			expect(requestIds()).toEqual(Array(3).fill('order:4711'));
			expect(rows(second)).toEqual(rows(first));
			expect(other.error?.message).toMatch(/different request.*duplicate_request/);
			expect(other.error?.description).toMatch(/'Request ID' was used for other calls/);
			expect(other.error?.description).not.toMatch(/7 days/);
			expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
		});

		it('says how to get the answer when it never came', async () => {
			const account = testBed.account();
			const fault = { kind: 'status', ...unresolved, path, stage: 'after', count: 100 } as const;
			testBed.service.faults.add(fault);

			const { error } = await run(list(templates), { account });

			expect(error?.message).toMatch(/Not resolved yet.*503, request_unresolved\) \[item 0\]$/);
			const [id, ...others] = new Set(requestIds().map(String));
			expect(others).toEqual([]);
			expect(error?.description).toContain(`'Request ID' ${id}`);
			testBed.service.faults.clear();
			expect(rows(await run(named(id), { account }))).toMatchObject([found]);
			expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
		});

		it.each([
			[1, 'success', 2],
			[9, 'error', 5],
		])('is asked again while the request is worked on, %i times', async (count, end, asked) => {
			const code = 'request_in_flight';
			testBed.service.faults.add({ path, kind: 'status', status: 409, code, count });

			const { status, error } = await run(named('busy'));

			expect(status).toBe(end);
			expect(requestIds()).toEqual(Array(asked).fill('busy'));
			if (end === 'success') return;
			expect(error?.message).toMatch(/request_in_flight/);
			expect(error?.description).toMatch(/later with the same 'Request ID'/);
		});
	});

	/** The service's refusals, each with what a person can do about it; nothing is charged. */
	it.each<[string, { status: number; code?: string; error: string }, RegExp, RegExp]>([
		[
			'an unknown provider',
			{ status: 404, code: 'unknown_provider', error: 'Unknown provider: nobody' },
			/nobody.*404/,
			/Tool Catalogue/,
		],
		[
			'a provider that is switched off',
			{ status: 403, error: 'Access to Ember Roast is disabled for this organization.' },
			/Ember Roast is disabled.*403/,
			/plan's features/,
		],
	])('is refused for %s', async (_name, fault, words, advice) => {
		const account = testBed.account();
		testBed.service.faults.add({ kind: 'status', path: '/v2/scrape', ...fault });

		const { error } = await run(list(templates), { account });

		expect(error?.message).toMatch(words);
		expect(error?.description).toMatch(advice);
		expect(requests()).toHaveLength(1);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(0);
	});
});
