import type { INodeParameters } from 'n8n-workflow';
import type { Account } from '../testBed.cjs';
import { picked, useMonitors } from './monitors.cjs';

const hour = 3_600_000;
const count = 130;

/** The two lists that are read by limit and offset, with 130 entries each, newest first. */
describe.each(['monitors', 'checks'] as const)('the list of %s', (kind) => {
	const monitors = useMonitors();
	const { testBed } = monitors;
	const operation = kind === 'monitors' ? 'getAll' : 'getChecks';

	/** An account with the entries: their ids, and where they are. */
	async function filled(account: Account) {
		if (kind === 'monitors') {
			await monitors.multiplied(account, count);
			return { set: {}, path: '/v2/monitor', ids: monitors.of(account).map(({ id }) => id) };
		}
		const { id } = await monitors.made(account, {
			targets: [{ type: 'scrape', urls: ['https://nowhere.example'] }],
		});
		await testBed.service.clock.advance(count * hour);
		await testBed.service.context.monitors.idle();
		const [monitor] = monitors.of(account);
		return {
			set: { monitorId: picked(id) },
			path: `/v2/monitor/${id}/checks`,
			ids: monitor.checks.map((check) => check.id).reverse(),
		};
	}

	it.each<[string, INodeParameters, number, Array<[limit: number, offset: number]>]>([
		[
			'as far as a limit beyond the first page',
			{ limit: 105 },
			105,
			[
				[100, 0],
				[5, 100],
			],
		],
		[
			'whole',
			{ returnAll: true },
			count,
			[
				[100, 0],
				[100, 100],
			],
		],
	])('is read %s', async (_name, parameters, length, pages) => {
		const account = testBed.account();
		const { set, path, ids } = await filled(account);

		const items = await monitors.items(operation, { ...set, ...parameters }, { account });

		expect(ids).toHaveLength(count);
		expect(items.map(({ json }) => json.id)).toEqual(ids.slice(0, length));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(length).fill({ item: 0 }));
		expect(monitors.requests).toEqual(
			pages.map(([limit, offset]) => ({
				method: 'GET',
				path,
				query: { limit: String(limit), offset: String(offset) },
				body: undefined,
			})),
		);
	});
});

describe('the list of monitors', () => {
	const monitors = useMonitors();
	const { testBed } = monitors;

	it('is what the editor shows to pick from', async () => {
		const account = testBed.account();
		const prices = await monitors.made(account, { name: 'Prices of competitors' });
		const docs = await monitors.made(account, { name: 'Docs' });
		await monitors.client(account).send('PATCH', `/${docs.id}`, { status: 'paused' });

		expect((await monitors.listed(account)).results).toEqual([
			{ name: 'Docs (paused)', value: docs.id },
			{ name: 'Prices of competitors', value: prices.id },
		]);
		expect((await monitors.listed(account, 'COMPET')).results).toHaveLength(1);
	});
});

describe('the list of checks', () => {
	const monitors = useMonitors();
	const { testBed } = monitors;

	/** Checks of every state that a check can be left in. */
	async function varied() {
		const account = testBed.account({ credits: 100 });
		const { id } = await monitors.made(account);
		await testBed.service.context.monitors.toNextCheck();
		await monitors.client(account).send('PATCH', `/${id}`, {
			targets: [{ type: 'scrape', urls: ['https://nowhere.example'] }],
		});
		await monitors.checked(account, id);
		account.team.credits = 0;
		await monitors.checked(account, id);
		account.team.credits = 100;
		testBed.service.context.monitors.durationMs = 90 * 60_000;
		await monitors.checked(account, id);
		await testBed.service.clock.advance(hour);
		return { account, monitorId: picked(id) };
	}

	it('says what each came to, without its pages, and may have those of one state alone', async () => {
		const { account, monitorId } = await varied();

		const items = await monitors.items('getChecks', { monitorId }, { account });

		expect(items.map(({ json }) => [json.trigger, json.status])).toEqual([
			['scheduled', 'skipped_overlap'],
			['manual', 'running'],
			['manual', 'skipped_no_credits'],
			['manual', 'failed'],
			['scheduled', 'completed'],
		]);
		expect(items.at(-1)?.json).toMatchObject({
			monitorId: monitorId.value,
			summary: { totalPages: 1, new: 1 },
			actualCredits: 1,
		});
		expect(items.every(({ json }) => !('pages' in json))).toBe(true);

		testBed.service.log.clear();
		const additionalFields = { status: 'failed' };
		const failed = await monitors.items('getChecks', { monitorId, additionalFields }, { account });

		expect(failed).toEqual([items[3]]);
		expect(monitors.requests.map(({ query }) => query)).toEqual([
			{ status: 'failed', limit: '50', offset: '0' },
		]);
	});
});
