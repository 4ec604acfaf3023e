import { toldIn } from '../engine/fence.cjs';
import {
	jsonParse,
	type IDataObject,
	type INodeParameters,
	type INodeTypeDescription,
} from 'n8n-workflow';
import {
	agentName,
	agentVersions,
	agentWorkflow,
	fromAI,
	operationText,
	toolName,
} from './agentWorkflow.cjs';
import { ChatCompletions, type ScriptedModel } from './chatCompletions.cjs';
import { manualTrigger, useN8n } from './n8n.cjs';
import { until } from './until.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';

interface Use {
	resource: string;
	operation: string;
	/** The node's parameters, some of them for the model to fill. */
	parameters: INodeParameters;
	/** What the model fills in. */
	given: IDataObject;
	/** The request that is sent to the service then: its path, and its body or query. */
	path: string;
	sent: IDataObject;
	/** What comes back to the model, in its first result. */
	result: IDataObject;
}

const uses: Use[] = [
	{
		resource: 'search',
		operation: 'query',
		parameters: {
			query: fromAI('query', 'What to search for, in a few words'),
			limit: fromAI('limit', 'How many results, 1 to 20', 'number'),
			additionalFields: { includeDomains: fromAI('domains', 'Where to search', 'json') },
		},
		given: { query: 'spring tides', limit: 3, domains: ['tidewatch.example'] },
		path: '/v2/search',
		sent: { query: 'spring tides', limit: 3, includeDomains: ['tidewatch.example'] },
		result: { source: 'web', url: expect.stringMatching(/tidewatch\.example/) },
	},
	{
		resource: 'page',
		operation: 'scrape',
		parameters: {
			url: fromAI('url', 'Address of the page, with https://'),
			additionalFields: {
				onlyMainContent: fromAI('brief', 'Whether to leave out menus and footers', 'boolean'),
			},
		},
		given: { url: tides, brief: false, passageQuery: 'spring tides moon' },
		path: '/v2/scrape',
		sent: { url: tides, onlyMainContent: false },
		result: { markdown: expect.stringMatching(/spring tides/i) },
	},
];

/** A search whose failing request is not retried. */
const search = {
	resource: 'search',
	operation: 'query',
	query: fromAI('query', 'What to search for'),
	limit: fromAI('limit', 'How many results', 'string'),
	options: { maxRetryTime: 0 },
};

describe("n8n's AI Agent", () => {
	const real = useN8n('agent');
	let chat: ChatCompletions;
	let openAi: { id: string; name: string };
	let described: INodeTypeDescription | undefined;

	beforeAll(async () => {
		chat = await ChatCompletions.open();
		const data = { apiKey: 'sk-of-these-tests', url: chat.url };
		openAi = await real.n8n.api.createCredential('Model', data, 'openAiApi');
		const types = await real.n8n.api.nodeTypes();
		described = types.find(({ name }) => name === 'n8n-nodes-web-data.webDataTool');
	});
	afterAll(async () => await chat.close());

	/** Starts an agent whose model calls the tool once with each of the `given`. */
	async function start(version: number, parameters: INodeParameters, given: IDataObject[]) {
		const { api, service } = real.n8n;
		const model = chat.model(given.map((input) => ({ tool: toolName, arguments: input })));
		const { credential, team: payer } = await real.n8n.account();
		const workflow = agentWorkflow(version, parameters, model, openAi);
		const execution = await api.run(await api.createWorkflow(workflow, credential), manualTrigger);
		const requests = () => service.log.entries.filter(({ teamId }) => teamId === payer.id);
		return { model, execution, requests };
	}

	/** Runs it to its end, which is a good one; answers the model, and the requests that the service got. */
	async function run(...agent: Parameters<typeof start>) {
		const { execution, model, requests } = await start(...agent);
		const ended = (await real.n8n.api.ended(execution)).succeeded();
		expect(ended.output(agentName).map(({ json }) => json.output)).toEqual(['Done.']);
		return { model, requests: requests() };
	}

	/** What a model was told by its calls. */
	const toldTo = ({ results }: ScriptedModel) =>
		results.map((result) => toldIn(jsonParse<IDataObject[]>(result)));

	/** What stands between the fences of it. */
	const resultsOf = (model: ScriptedModel) => toldTo(model).map(({ inside }) => inside);

	describe.each(agentVersions())('version %s', (version) => {
		it.each(uses)(
			'uses $resource: $operation',
			async ({ resource, operation, parameters, given, path, sent, result }) => {
				const { clock } = real.n8n.service;
				const node = { resource, operation, ...parameters };
				const { execution, model, requests } = await start(version, node, [given]);
				const [request] = await until('the request', () => {
					const answered = requests().filter((each) => each.path === path && each.status);
					return answered.length > 0 ? answered : undefined;
				});
				await clock.advance(60_000);
				(await real.n8n.api.ended(execution)).succeeded();

				const [tool, ...more] = model.tools;
				expect(more).toEqual([]);
				expect(tool.name).toBe(toolName);
				expect(tool.description).toBe(operationText(described, resource, operation));
				expect(Object.keys(tool.parameters.properties)).toEqual(Object.keys(given));
				for (const { description } of Object.values(tool.parameters.properties)) {
					expect(description).toMatch(/\w+ \w+/);
				}
				expect(JSON.stringify(tool).length).toBeLessThan(1500);
				expect(request.body ?? request.query).toMatchObject(sent);
				expect(resultsOf(model)).toEqual([
					expect.arrayContaining([expect.objectContaining(result)]),
				]);
			},
		);

		// What else it can read is asked in test/engine/asTool.
		it('reads why a request failed and what to do, and goes on', async () => {
			const fault = { kind: 'status', path: '/v2/search', status: 400 } as const;
			real.n8n.service.faults.add({ ...fault, error: 'The time filter is unknown.' });
			const { model } = await run(version, search, [{ query: 'spring tides', limit: '1' }]);

			expect(toldTo(model)).toEqual([
				{
					before: [
						{
							error: 'The request failed',
							advice: expect.stringMatching(/correct the field in the message/),
						},
					],
					inside: [{ message: 'The time filter is unknown (HTTP 400)' }],
				},
			]);
		});
	});
});
