import { LoadOptionsContext } from 'n8n-core';
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeParameters,
	ResourceMapperFields,
} from 'n8n-workflow';

import { MonitorClient } from '../../mock-server/testClient.cjs';
import { NODE_UNDER_TEST } from '../harness.cjs';
import { type Account, useTestBed } from '../testBed.cjs';
import { findTools } from './tools.cjs';

/** What the editor asks the node for while a workflow is made, in n8n's own context for it. */
describe("the editor's lists", () => {
	const testBed = useTestBed();

	/** n8n's context for the editor's questions, and the node's methods that answer them. */
	const editor = (account: Pick<Account, 'credentials'>, parameters: INodeParameters = {}) => {
		const type = testBed.engine.typeName('webData');
		const { credentials } = account;
		const workflow = testBed.engine.workflow(
			{
				nodes: [
					{
						id: 'node',
						name: NODE_UNDER_TEST,
						type,
						typeVersion: 1,
						position: [0, 0],
						parameters,
					},
				],
				connections: {},
			},
			credentials,
		);
		const node = workflow.getNode(NODE_UNDER_TEST);
		if (!node) throw new Error('The workflow has no node');
		const additionalData = testBed.engine.additionalData(credentials, {
			currentNodeParameters: parameters,
		});
		const context = new LoadOptionsContext(workflow, node, additionalData, '');
		const { methods } = workflow.nodeTypes.getByNameAndVersion(type);
		return { context, methods };
	};

	type ListSearch = (
		this: ILoadOptionsFunctions,
		filter?: string,
		token?: string,
	) => Promise<INodeListSearchResult>;

	const searchBy = (
		method: string,
		account: Pick<Account, 'credentials'>,
	): ((filter?: string, token?: string) => Promise<INodeListSearchResult>) => {
		const { context, methods } = editor(account);
		const search: ListSearch | undefined = methods?.listSearch?.[method];
		if (!search) throw new Error(`The node has no ${method}`);
		return async (filter, token) => await search.call(context, filter, token);
	};

	const optionsOf = async (
		tool: unknown,
		account: Pick<Account, 'credentials'> = testBed.account(),
	): Promise<ResourceMapperFields> => {
		const { context, methods } = editor(account, { tool: tool as INodeParameters });
		const ask = methods?.resourceMapping?.getToolOptions;
		if (!ask) throw new Error('The node has no getToolOptions');
		return await ask.call(context);
	};

	const wrongKey = () => ({
		credentials: { webDataApi: { baseUrl: testBed.service.url, apiKey: 'fc-0123456789abcdef' } },
	});

	describe('of tools', () => {
		it('shows those that fit the words, and costs nothing', async () => {
			const account = testBed.account();

			const { results, paginationToken } = await searchBy('searchTools', account)(' tide ');

			expect(testBed.requests).toMatchObject([
				findTools({ query: 'tide', level: 'tools', limit: 50 }),
			]);
			expect(results).toContainEqual({
				name: 'Tide times (tidewatch)',
				value: 'tidewatch/tide-times',
				description: 'High and low water times and heights for a harbour and a day.',
			});
			expect(paginationToken).toBeUndefined();
			expect(testBed.service.ledger.spent(account.team.id)).toBe(0);
		});
	});

	describe('of monitors', () => {
		const named = async ({ key }: Account, ...names: string[]) => {
			const monitors = new MonitorClient(testBed.service, key);
			await Promise.all(names.map(async (name) => await monitors.created({ name })));
			testBed.service.log.clear();
		};

		it('shows those whose name fits, in any case', async () => {
			const account = testBed.account();
			await named(account, 'Tides of the cape', 'Prices', 'Low tide');

			const search = searchBy('searchMonitors', account);

			expect((await search('TIDE')).results.map(({ name }) => name).sort()).toEqual([
				'Low tide',
				'Tides of the cape',
			]);
			expect((await search()).results).toHaveLength(3);
			expect((await search('no such')).results).toEqual([]);
			expect(testBed.requests.every(({ method }) => method === 'GET')).toBe(true);
		});
	});

	it.each(['searchTools', 'searchMonitors'])(
		'say what is wrong with the key, and do not show it: %s',
		async (method) => {
			const failed = searchBy(method, wrongKey())();

			await expect(failed).rejects.toMatchObject({
				message: 'Unauthorized: Invalid token (HTTP 401)',
				description: expect.stringContaining("'API Key'"),
				httpCode: '401',
			});
			expect(testBed.requests).toHaveLength(1);
		},
	);

	describe("of a tool's options", () => {
		const list = (value: string) => ({ __rl: true, mode: 'list', value });

		it('has a field for each, of its type', async () => {
			const { fields } = await optionsOf(list('relayworks/template-search'));

			expect(testBed.requests).toMatchObject([
				findTools({
					providers: ['relayworks'],
					capabilities: ['template-search'],
					level: 'tools',
					expand: ['options'],
					limit: 100,
				}),
			]);
			expect(fields).toMatchObject([
				{ id: 'query', displayName: 'query', type: 'string', required: true, display: true },
				{ id: 'limit', displayName: 'limit', type: 'number', required: false, display: true },
			]);
		});
	});
});
