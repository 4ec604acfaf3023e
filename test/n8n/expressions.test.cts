import type { INodeParameters } from 'n8n-workflow';
import { chain, manual, useN8n, type Account } from './n8n.cjs';

const secret = 'of-the-item-4711';
const expression = '={{ $json.secret }}';

/** The service names its tools itself: what it names so, n8n would evaluate once it is picked and stored. */
describe('a catalogue whose tools are named as expressions', () => {
	const real = useN8n('expressions');
	const type = 'n8n-nodes-web-data.webData';
	const base: INodeParameters = { resource: 'tool', operation: 'execute' };

	const executed = async (tool: INodeParameters, account: Account) => {
		const { n8n } = real;
		n8n.service.log.clear();
		await n8n.run(
			chain('Tools', [
				manual,
				{
					name: 'Item',
					type: 'n8n-nodes-base.set',
					typeVersion: 3.4,
					parameters: { mode: 'raw', jsonOutput: JSON.stringify({ secret }) },
				},
				{ name: 'Web Data', parameters: { ...base, tool: { __rl: true, mode: 'list', ...tool } } },
			]),
			account,
		);
		return JSON.stringify(n8n.service.log.of('POST', '/v2/scrape').map(({ body }) => body));
	};

	it('would have items sent out if one were picked', async () => {
		const sent = await executed({ value: `${expression}/x` }, await real.n8n.account());
		expect(sent).toContain(secret);
	});

	it('offers none of them, and nothing of the item leaves with what is picked', async () => {
		const { service, api } = real.n8n;
		const account = await real.n8n.account();
		const items = [
			{ name: 'Secrets', provider: expression, capability: 'x' },
			{ name: 'Secrets', provider: 'x', capability: expression },
			{ name: expression, provider: 'tidewatch', capability: 'tide-times' },
		];
		const data = { alexandria: [{ data: { level: 'tools', items, next: null } }] };
		service.faults.add({
			path: '/v2/scrape',
			kind: 'status',
			status: 200,
			body: { success: true, data },
		});

		const node = { type, typeVersion: 1, parameters: base };
		const offered = await api.list(node, 'tool', 'searchTools', account.credential);

		expect(offered).toEqual([
			{ name: '{{ $json.secret }} (tidewatch)', value: 'tidewatch/tide-times' },
		]);
		const [{ name, value }] = offered;
		const sent = await executed({ value, cachedResultName: name }, account);
		expect(sent).toContain('"capability":"tide-times"');
		expect(sent).not.toContain(secret);
	});
});
