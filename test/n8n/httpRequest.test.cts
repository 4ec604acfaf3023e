import Fastify from 'fastify';
import type { INodeParameters } from 'n8n-workflow';
import { useEditor } from './editor.cjs';
import { chain, manual, useN8n, type Account } from './n8n.cjs';

const name = 'Any other endpoint';

/** n8n's HTTP Request node with this pack's credential. */
const httpRequest = (
	{ credential }: Account,
	parameters: INodeParameters,
	onError?: 'continueRegularOutput',
) => ({
	name,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	onError,
	credentials: { webDataApi: credential },
	parameters: {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'webDataApi',
		options: {},
		...parameters,
	},
});

/** What docs/any-endpoint.md says: the HTTP Request node calls what this pack has no operation for. */
describe('the HTTP Request node with the credential', () => {
	const real = useN8n('httpRequest');
	const opened = useEditor(real);

	it('calls endpoints of the service by GET and POST, authorised', async () => {
		const { n8n } = real;
		const account = await n8n.account();
		const get = await n8n.run(
			chain('GET', [manual, httpRequest(account, { url: `${n8n.service.url}/v2/team/activity` })]),
			account,
		);
		const post = await n8n.run(
			chain('POST', [
				manual,
				httpRequest(account, {
					method: 'POST',
					url: `${n8n.service.url}/v2/map`,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: JSON.stringify({ url: 'https://tidewatch.example/' }),
				}),
			]),
			account,
		);

		expect(get.succeeded().output(name)[0].json).toMatchObject({ success: true });
		expect(post.succeeded().output(name)[0].json).toMatchObject({ success: true });
	});

	it('sends the key to no other origin', async () => {
		const { n8n } = real;
		const account = await n8n.account();
		const seen: unknown[] = [];
		const other = Fastify({ forceCloseConnections: true });
		other.get('/*', ({ headers }) => {
			seen.push(JSON.stringify(headers));
			return { ok: true };
		});
		const url = await other.listen({ host: '127.0.0.1', port: 0 });

		await n8n.run(
			chain('Elsewhere', [
				manual,
				httpRequest(account, { url: `${url}/steal` }, 'continueRegularOutput'),
			]),
			account,
		);
		await other.close();

		expect(seen).toHaveLength(1);
		expect(seen[0]).not.toContain(account.key);
		expect(seen[0]).not.toContain('authorization');
	});

	it('is offered the credential by the editor', async () => {
		const { n8n } = real;
		const account = await n8n.account();
		const id = await n8n.api.createWorkflow(
			chain('Offered', [
				manual,
				httpRequest(account, { url: n8n.service.url, nodeCredentialType: '' }),
			]),
			account.credential,
		);
		const tab = await opened.editor.workflow(id);
		const panel = await tab.openNode(name);

		await panel.choose('nodeCredentialType', 'Web Data API');

		await panel.says('Web Data API');
	});
});
