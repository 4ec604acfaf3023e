import type { INodeParameters } from 'n8n-workflow';
import { guides, least, leastSent, storms, tides, unknownId, useMonitors } from './monitors.cjs';

interface State {
	/** What the user set in the editor, beside what a monitor needs. */
	set: INodeParameters;
	/** What the API gets, beside or in place of that. */
	sent: object;
}

const hook = 'https://hooks.example/in';
const target = (set: INodeParameters, sent: object): State => ({
	set: { targets: { values: [set] } },
	sent: { targets: [sent] },
});

/** Panels and the request that each stands for. What a field sends on its own is asked in test/unit/WebData. */
const states: Record<string, State> = {
	'every field': {
		set: {
			schedule: ' 0  9 * * 1-5 ',
			additionalFields: {
				goal: 'A time changes',
				timezone: 'Europe/Berlin',
				judgeEnabled: true,
				notification: {
					enabled: true,
					includeDiffs: true,
					recipients: 'ada@tidewatch.example, bob@tidewatch.example',
				},
				retentionDays: '={{ "365" }}',
				webhook: {
					url: hook,
					events: ['monitor.page', 'monitor.check.completed'],
				},
				requestJson: JSON.stringify({
					notification: { slack: { enabled: false, channelId: 'C024', channelName: 'tides' } },
					webhook: { headers: { 'X-Case': '7' }, metadata: { row: '12' } },
				}),
			},
		},
		sent: {
			goal: 'A time changes',
			schedule: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
			judgeEnabled: true,
			notification: {
				email: {
					enabled: true,
					includeDiffs: true,
					recipients: ['ada@tidewatch.example', 'bob@tidewatch.example'],
				},
				slack: { enabled: false, channelId: 'C024', channelName: 'tides' },
			},
			retentionDays: 365,
			webhook: {
				url: hook,
				headers: { 'X-Case': '7' },
				metadata: { row: '12' },
				events: ['monitor.page', 'monitor.check.completed'],
			},
		},
	},
	'pages with formats and options': target(
		{
			type: 'scrape',
			urls: `${tides}, ${storms}\n${guides}/a,b`,
			formats: ['markdown', 'links'],
			optionsJson: JSON.stringify({
				id: unknownId,
				scrapeOptions: { onlyMainContent: false, headers: { Cookie: 'a=1' } },
			}),
		},
		{
			type: 'scrape',
			id: unknownId,
			urls: [tides, storms, `${guides}/a,b`],
			scrapeOptions: {
				formats: ['markdown', 'links'],
				onlyMainContent: false,
				headers: { Cookie: 'a=1' },
			},
		},
	),
};

describe("a new monitor's request", () => {
	const monitors = useMonitors();

	it.each(Object.entries(states))('holds %s', async (_name, { set, sent }) => {
		const account = monitors.testBed.account();

		const run = await monitors.run('create', { ...least, ...set }, { account });

		expect(run.error?.message).toBeUndefined();
		expect(monitors.requests).toEqual([
			{ method: 'POST', path: '/v2/monitor', query: {}, body: { ...leastSent, ...sent } },
		]);
		expect(monitors.of(account)).toHaveLength(1);
	});

	it('brings out the monitor as the service has it', async () => {
		const account = monitors.testBed.account();

		const items = await monitors.items('create', least, { account });

		const [{ id }] = monitors.of(account);
		expect(items).toEqual([
			{ json: { ...(await monitors.client(account).get(id)) }, pairedItem: { item: 0 } },
		]);
		expect(items[0].json).toMatchObject({
			id,
			status: 'active',
			schedule: { cron: '0 * * * *', timezone: 'UTC' },
			nextRunAt: '2026-11-21T13:00:00.000Z',
			estimatedCreditsPerMonth: expect.any(Number),
		});
	});
});
