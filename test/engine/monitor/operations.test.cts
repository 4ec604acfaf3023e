import { LoadOptionsContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { builtNode } from '../../builtNode.cjs';
import { NODE_UNDER_TEST, behindItems } from '../harness.cjs';
import type { Account } from '../testBed.cjs';
import { picked, storms, useMonitors } from './monitors.cjs';

const hour = 3_600_000;
const unknownId = '00000000-0000-4000-8000-000000000000';

/** The operations on one monitor: the request that each sends. What comes out of each is in test/cases. */
describe('a monitor', () => {
	const monitors = useMonitors();
	const { testBed } = monitors;

	it.each<[string, (id: string) => INodeParameters[string]]>([
		['from the list', (id) => ({ ...picked(id, 'list'), cachedResultName: 'Spring tides' })],
		['by its ID in capitals, between blanks', (id) => picked(` ${id.toUpperCase()} `)],
		['by an expression in the field', () => picked('={{ $json.id }}')],
		['by an expression in place of the field', () => '={{ $json.id }}'],
	])('is picked %s', async (_name, pick) => {
		const account = testBed.account();
		const { id } = await monitors.made(account);

		const [{ json }] = await monitors.items(
			'get',
			{ monitorId: pick(id) },
			{ account, input: [{ id }] },
		);

		expect(json).toEqual(await monitors.client(account).get(id));
	});

	/** The fields that are sent as they are set. */
	const same = {
		goal: 'A time changes',
		judgeEnabled: false,
		name: 'Neap tides',
		retentionDays: 7,
		schedule: { cron: '0 9 * * *', timezone: 'Asia/Tokyo' },
		status: 'paused',
		webhook: { url: 'https://hooks.example/in', events: ['monitor.page'] },
	};

	it.each<[string, INodeParameters, object]>([
		[
			'every field',
			{
				targets: { values: [{ type: 'scrape', urls: storms }] },
				additionalFields: {
					...same,
					notification: { enabled: true, recipients: 'ada@tidewatch.example' },
				},
			},
			{
				...same,
				notification: { email: { enabled: true, recipients: ['ada@tidewatch.example'] } },
				targets: [{ type: 'scrape', urls: [storms] }],
			},
		],
		[
			'what is cleared',
			{ additionalFields: { requestJson: '{"goal": null, "notification": null}' } },
			{ goal: null, notification: {} },
		],
		[
			'one thing and not what was left empty',
			{
				targets: {},
				additionalFields: {
					name: '',
					goal: '',
					schedule: {},
					webhook: {},
					notification: {},
					requestJson: '{}',
					retentionDays: 7,
				},
			},
			{ retentionDays: 7 },
		],
	])('is changed in %s and nothing else', async (_name, set, body) => {
		const account = testBed.account();
		const existing = { goal: 'tides', notification: { email: { enabled: true } } };
		const { id } = await monitors.made(account, existing);

		const items = await monitors.items('update', { monitorId: picked(id), ...set }, { account });

		expect(monitors.requests).toEqual([
			{ method: 'PATCH', path: `/v2/monitor/${id}`, query: {}, body },
		]);
		expect(items).toEqual([
			{ json: { ...(await monitors.client(account).get(id)) }, pairedItem: { item: 0 } },
		]);
	});

	it('that is not there is an error that says what to do', async () => {
		const additionalFields = { status: 'paused' };

		const run = await monitors.run('update', { monitorId: picked(unknownId), additionalFields });

		expect(run.error?.message).toBe('Monitor not found (HTTP 404) [item 0]');
		expect(run.error?.description).toMatch(/check the ID/i);
	});

	it('whose check may have been started is not run again, for a second one would cost', async () => {
		const account = testBed.account();
		const { id } = await monitors.made(account);
		testBed.service.faults.add({ kind: 'reset', method: 'POST', stage: 'after' });

		const run = await monitors.run('run', { monitorId: picked(id) }, { account });

		expect(run.error?.description).toMatch(/may have been processed.*not retried/);
		expect(monitors.requests).toHaveLength(1);
	});
});

describe('the list of monitors', () => {
	const monitors = useMonitors();
	const { testBed } = monitors;

	it('is read as far as a limit beyond the first page, newest first', async () => {
		const account = testBed.account();
		await monitors.made(account);
		const [{ settings }] = monitors.of(account);
		for (let made = 1; made < 130; made++) {
			testBed.service.context.monitors.create(account.team.id, settings);
		}

		const items = await monitors.items('getAll', { limit: 105 }, { account });

		const ids = monitors.of(account).map(({ id }) => id);
		expect(items.map(({ json }) => json.id)).toEqual(ids.slice(0, 105));
		expect(monitors.requests.map(({ query }) => query)).toEqual([
			{ limit: '100', offset: '0' },
			{ limit: '5', offset: '100' },
		]);
	});

	/** What the editor shows of it. */
	async function listed({ credentials }: Account, filter: string) {
		const { engine } = testBed;
		const type = engine.typeName('webData');
		const parameters = { resource: 'monitor', operation: 'get' };
		const { workflow: file } = behindItems([], [{ name: NODE_UNDER_TEST, type, parameters }]);
		const workflow = engine.workflow(file, credentials);
		const node = workflow.getNode(NODE_UNDER_TEST);
		const search = builtNode('WebData').methods?.listSearch?.searchMonitors;
		if (!node || !search) throw new Error('The node has no list of monitors');
		const data = engine.additionalData(credentials);
		const context = new LoadOptionsContext(workflow, node, data, 'monitorId');
		return (await search.call(context, filter)).results;
	}

	it('is what the editor shows to pick from', async () => {
		const account = testBed.account();
		await monitors.made(account, { name: 'Prices of competitors' });
		const docs = await monitors.made(account, { name: 'Docs' });
		await monitors.client(account).send('PATCH', `/${docs.id}`, { status: 'paused' });

		expect(await listed(account, '')).toHaveLength(2);
		expect(await listed(account, 'DOCS')).toEqual([{ name: 'Docs (paused)', value: docs.id }]);
	});
});

describe('the list of checks', () => {
	const monitors = useMonitors();
	const { testBed } = monitors;

	it.each([
		['the whole list of checks', {}, { limit: '100', offset: '0' }, 4],
		['those of one state', { additionalFields: { status: 'failed' } }, { status: 'failed' }, 1],
	])('%s says what each came to, without its pages', async (_name, set, query, count) => {
		const account = testBed.account();
		const { id } = await monitors.made(account);
		await monitors.checked(account, id);
		account.team.credits = 0;
		await monitors.checked(account, id);
		account.team.credits = 100;
		const nowhere = [{ type: 'scrape', urls: ['https://nowhere.example'] }];
		await monitors.client(account).send('PATCH', `/${id}`, { targets: nowhere });
		await monitors.checked(account, id);
		testBed.service.context.monitors.durationMs = hour;
		await monitors.checked(account, id);
		const parameters = { monitorId: picked(id), returnAll: true, ...set };

		const items = await monitors.items('getChecks', parameters, { account });

		expect(items).toHaveLength(count);
		expect(monitors.requests).toMatchObject([{ path: `/v2/monitor/${id}/checks`, query }]);
		const known = items.map(({ json }) => json.status);
		expect(known).toEqual(
			count === 1 ? ['failed'] : ['running', 'failed', 'skipped_no_credits', 'completed'],
		);
		expect(items.every(({ json }) => json.monitorId === id && !('pages' in json))).toBe(true);
	});
});
