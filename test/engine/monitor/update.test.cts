import type { INodeParameters } from 'n8n-workflow';
import { picked, storms, useMonitors } from './monitors.cjs';

const hook = 'https://hooks.example/in';

/** The fields that are sent as they are set. */
const same = {
	goal: 'A time changes',
	judgeEnabled: false,
	name: 'Neap tides',
	retentionDays: 7,
	schedule: { cron: '0 9 * * *', timezone: 'Asia/Tokyo' },
	status: 'paused',
	webhook: { url: hook, events: ['monitor.page'] },
};

/** The editor's fields: the targets stand on their own. */
const stored = ({ targets = {}, ...additionalFields }: INodeParameters): INodeParameters => ({
	targets,
	additionalFields,
});

/** What the editor stores, and what the API gets. What a field sends on its own is asked in test/unit/WebData. */
const changes: Array<[string, INodeParameters, object]> = [
	[
		'every field',
		{
			...same,
			notification: { enabled: true, recipients: 'ada@tidewatch.example' },
			targets: { values: [{ type: 'scrape', urls: storms }] },
		},
		{
			...same,
			notification: { email: { enabled: true, recipients: ['ada@tidewatch.example'] } },
			targets: [{ type: 'scrape', urls: [storms] }],
		},
	],
	[
		'what is cleared',
		{ requestJson: '{"goal": null, "notification": null}' },
		{ goal: null, notification: {} },
	],
	[
		'one thing and not what was left empty',
		{
			name: '',
			goal: '',
			schedule: {},
			targets: {},
			webhook: {},
			notification: {},
			requestJson: '{}',
			retentionDays: 7,
		},
		{ retentionDays: 7 },
	],
];

describe("a monitor's changes", () => {
	const monitors = useMonitors();
	const existing = {
		goal: 'tides',
		webhook: { url: 'https://hooks.example/before' },
		notification: { email: { enabled: true } },
	};

	it.each(changes)('hold %s and nothing else', async (_name, set, sent) => {
		const account = monitors.testBed.account();
		const before = await monitors.made(account, existing);

		const items = await monitors.items(
			'update',
			{ monitorId: picked(before.id), ...stored(set) },
			{ account },
		);

		expect(monitors.requests).toEqual([
			{ method: 'PATCH', path: `/v2/monitor/${before.id}`, query: {}, body: sent },
		]);
		expect(items).toEqual([
			{ json: { ...(await monitors.client(account).get(before.id)) }, pairedItem: { item: 0 } },
		]);
	});
});
