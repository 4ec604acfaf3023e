import type { INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock/faults.cjs';
import { keys } from '../../mock/teams.cjs';
import { request, rows, templates, useTools } from './tools.cjs';

const list = (...calls: object[]): INodeParameters => ({
	calls: JSON.stringify(calls),
});
const more = (set: INodeParameters): INodeParameters => ({
	...list(templates()),
	additionalFields: set,
});

/** Trouble on the way: whatever happens, calls are paid for once. */
describe('a request for tools in trouble', () => {
	const tools = useTools();
	const { testBed } = tools;
	const path = '/v2/scrape';
	const unresolved = { status: 503, code: 'request_unresolved', error: 'Not resolved yet.' };

	const passing: Array<[string, FaultInput]> = [
		['503 request_unresolved', { kind: 'status', ...unresolved, stage: 'after' }],
		['a connection lost while it works', { kind: 'reset', stage: 'during' }],
		['an answer cut short', { kind: 'truncate' }],
	];

	it.each(passing)('is repeated under its name and charged once: %s', async (_name, fault) => {
		const account = testBed.account();
		testBed.service.faults.add({ ...fault, path, count: 2 });

		const run = await tools.run('execute', list(templates()), { account });

		expect(run.error?.message).toBeUndefined();
		expect(tools.requests).toEqual(Array(3).fill(request(templates())));
		expect(new Set(tools.requestIds).size).toBe(1);
		expect(rows(run)).toMatchObject([{ data: { templates: expect.anything() }, creditsCost: 1 }]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it("keeps the user's own name for it, and gets the stored answer by it", async () => {
		const account = testBed.account();
		const parameters = more({ requestId: ' order:4711 ' });

		const first = await tools.run('execute', parameters, { account });
		const second = await tools.run('execute', parameters, { account });

		expect(tools.requestIds).toEqual(['order:4711', 'order:4711']);
		expect(rows(second)).toEqual(rows(first));
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it('says how to get the answer when it never came', async () => {
		const account = testBed.account();
		testBed.service.faults.add({ kind: 'status', ...unresolved, path, stage: 'after', count: 100 });

		const run = await tools.run('execute', list(templates()), { account });

		expect(run.error?.message).toMatch(/Not resolved yet.*503, request_unresolved\) \[item 0\]$/);
		const id = String(tools.requestIds[0]);
		expect(new Set(tools.requestIds)).toEqual(new Set([id]));
		expect(run.error?.description).toContain(`'Request ID' ${id}`);
		expect(run.error?.description).toMatch(/again later|7 days/);
		testBed.service.faults.clear();

		const again = await tools.run('execute', more({ requestId: id }), { account });
		expect(rows(again)).toMatchObject([{ data: { templates: expect.anything() } }]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it('says that a name was used for other calls', async () => {
		const account = testBed.account();
		await tools.run('execute', more({ requestId: 'a' }), { account });

		const run = await tools.run(
			'execute',
			{ ...list(templates('cron')), additionalFields: { requestId: 'a' } },
			{ account },
		);

		expect(run.error?.message).toMatch(/different request.*duplicate_request/);
		expect(run.error?.description).toMatch(/'Request ID' was used for other calls/);
		expect(run.error?.description).not.toMatch(/7 days/);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it.each([
		[1, 'success', 2],
		[9, 'error', 5],
	])('is asked again while the same request is worked on, %i times', async (count, end, asked) => {
		const code = 'request_in_flight';
		testBed.service.faults.add({ path, kind: 'status', status: 409, code, count });

		const run = await tools.run('execute', more({ requestId: 'busy' }));

		expect(run.status).toBe(end);
		expect(tools.requests).toHaveLength(asked);
		expect(new Set(tools.requests.map((request) => JSON.stringify(request))).size).toBe(1);
		if (end === 'success') return;
		expect(run.error?.message).toMatch(/request_in_flight/);
		expect(run.error?.description).toMatch(/later with the same 'Request ID'/);
	});
});

/** The service's refusals, each with what a person can do about it; nothing is charged. */
describe('a request for tools that is refused', () => {
	const tools = useTools();
	const { testBed } = tools;

	it('for terms leaves it to a person to accept them', async () => {
		const account = testBed.account();
		testBed.service.context.tools.terms.set('relayworks', '2026-10');

		const run = await tools.run('execute', list(templates()), { account });

		expect(run.error?.message).toMatch(/terms of Relayworks.*THIRD_PARTY_DATA_TERMS_REQUIRED/);
		expect(run.error?.description).toMatch(/must first accept/);
		expect(tools.requests).toHaveLength(1);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(0);
	});

	it.each<[string, object, RegExp, RegExp, string]>([
		[
			'an unknown provider',
			{ provider: 'nobody' },
			/Unknown provider: nobody/,
			/Tool Catalogue/,
			'404',
		],
		[
			'a provider that is switched off',
			{ provider: 'emberroast' },
			/Ember Roast is disabled/,
			/plan's features/,
			'403',
		],
	])('for %s', async (_name, call, words, advice, httpCode) => {
		const account = testBed.account();
		testBed.service.context.tools.disabled.add('emberroast');

		const run = await tools.run('execute', list({ capability: 'coffee-offers', ...call }), {
			account,
		});

		expect(run.error?.message).toMatch(words);
		expect(run.error?.description).toMatch(advice);
		expect(run.error).toMatchObject({ httpCode });
		expect(tools.requests).toHaveLength(1);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(0);
	});

	it.each<[keyof typeof keys, RegExp, RegExp]>([
		['plain', /requires access.*403/, /plan's features/],
	])('to the key %s', async (name, words, advice) => {
		const account = {
			credentials: { webDataApi: { baseUrl: testBed.service.url, apiKey: keys[name] } },
		};

		const run = await tools.run('execute', list(templates()), { account });

		expect(run.error?.message).toMatch(words);
		expect(run.error?.description).toMatch(advice);
		expect(tools.requests).toHaveLength(1);
	});
});
