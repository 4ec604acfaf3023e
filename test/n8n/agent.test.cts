import { toldIn } from '../engine/fence.cjs';
import {
	jsonParse,
	type IDataObject,
	type INodeParameters,
	type INodeTypeDescription,
} from 'n8n-workflow';
import type { FaultInput } from '../mock/faults.cjs';
import type { Team } from '../mock/teams.cjs';
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
const storms = 'https://tidewatch.example/guides/storm-surges';

/** The longest result that a model gets unless the user says otherwise, by docs/ai-agents.md. */
const longestResult = 40_000;

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
	{
		resource: 'batch',
		operation: 'run',
		parameters: { urls: fromAI('urls', 'Addresses of the pages, as a list', 'json') },
		given: { urls: [tides, storms], passageQuery: 'spring tides moon' },
		path: '/v2/batch/scrape',
		sent: { urls: [tides, storms] },
		result: { markdown: expect.stringMatching(/spring tides/i) },
	},
	{
		resource: 'agent',
		operation: 'run',
		parameters: {
			prompt: fromAI('prompt', 'What to find out, in one or two sentences'),
			schemaType: 'schema',
			schema: fromAI('schema', 'JSON Schema of the wanted answer', 'json'),
		},
		given: {
			prompt: 'Who writes about tides?',
			schema: { type: 'object', properties: { name: { type: 'string' } } },
		},
		path: '/v2/agent',
		sent: {
			prompt: 'Who writes about tides?',
			schema: { type: 'object', properties: { name: { type: 'string' } } },
		},
		result: { name: expect.any(String), jobId: expect.any(String) },
	},
	{
		resource: 'monitor',
		operation: 'create',
		parameters: {
			name: fromAI('name', 'A short name for the monitor'),
			targets: {
				values: [{ type: 'scrape', urls: fromAI('urls', 'Addresses, with commas between') }],
			},
			schedule: 'hourly',
		},
		given: { name: 'Tides', urls: `${tides}, ${storms}` },
		path: '/v2/monitor',
		sent: { name: 'Tides', targets: [{ type: 'scrape', urls: [tides, storms] }] },
		result: { name: 'Tides', id: expect.any(String) },
	},
];

/** The search that the tests of failures make; a failing request is not retried. */
const search = {
	resource: 'search',
	operation: 'query',
	query: fromAI('query', 'What to search for'),
	limit: fromAI('limit', 'How many results', 'string'),
	options: { maxRetryTime: 0 },
};

/** What goes wrong with a search, and what the model reads then: what to do, and the service's own words between fences. */
const failures: Array<[fault: FaultInput, message: RegExp, advice: RegExp]> = [
	[
		{
			kind: 'status',
			path: '/v2/search',
			status: 400,
			error: 'The time filter is unknown.',
			retryAfterSeconds: 0.01,
		},
		/^The time filter is unknown \(HTTP 400\)$/,
		/correct the field in the message/,
	],
	[
		{ kind: 'status', path: '/v2/search', status: 504, retryAfterSeconds: 0.01 },
		/\(HTTP 504\)$/,
		/The gateway timed out: request less at once.*may have been processed and charged/,
	],
	[
		{ kind: 'reset', path: '/v2/search' },
		/^The server did not respond/,
		/may have been processed and charged, so it was not retried/,
	],
];

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
	async function start(
		version: number,
		parameters: INodeParameters,
		given: IDataObject[],
		team: Partial<Team> = {},
	) {
		const { api, service } = real.n8n;
		const model = chat.model(given.map((input) => ({ tool: toolName, arguments: input })));
		const { credential, team: payer } = await real.n8n.account(team);
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

	/** What a model is told of a failure. */
	const failed = (advice: RegExp, message: string) => ({
		before: [{ error: 'The request failed', advice: expect.stringMatching(advice) }],
		inside: [{ message }],
	});

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

		it('gives numbers and lists as text, as models do', async () => {
			const parameters = {
				...search,
				additionalFields: {
					includeDomains: fromAI('domains', 'Where to search'),
				},
			};
			const given = { query: 'spring tides', limit: '5' };
			const lists = ['["tidewatch.example","gulls.example"]', 'tidewatch.example, gulls.example'];
			const { requests } = await run(
				version,
				parameters,
				// An equal call would get the response of the first.
				lists.map((domains, index) => ({ ...given, query: `spring tides ${index}`, domains })),
			);

			expect(requests.map(({ body }) => body)).toEqual(
				lists.map((_, index) => ({
					query: `spring tides ${index}`,
					limit: 5,
					includeDomains: ['tidewatch.example', 'gulls.example'],
					timeout: expect.any(Number),
				})),
			);
		});

		it('gets what it has room for, and reads how to get the rest', async () => {
			const url = `https://tidewatch.example/long/${version}`;
			const markdown = `# All tides\n\n${'High water, low water. '.repeat(10_000)}`;
			real.n8n.service.site.add({ url, title: 'All tides', markdown, published: '2026-11-01' });
			const parameters = { resource: 'page', operation: 'scrape', url: fromAI('url', 'Address') };
			const { model } = await run(version, parameters, [{ url }]);

			const [text] = model.results;
			expect(text.length).toBeLessThanOrEqual(longestResult);
			expect(text.length).toBeGreaterThan(longestResult * 0.95);
			const [{ before, inside }] = toldTo(model);
			const [page, ...more] = inside;
			expect(more).toEqual([]);
			expect(before).toEqual([
				{
					notes: [expect.stringMatching(/truncated to 40000 characters.*request less/)],
				},
			]);
			expect(page.markdown).toMatch(/^# All tides.*\[… truncated, \d+ more characters\]$/s);
			expect(page).toMatchObject({ url, statusCode: 200, metadata: { sourceURL: url } });
		});

		it('reads why a request failed and what to do, and goes on', async () => {
			const { service } = real.n8n;
			service.faults.add(...failures.map(([fault]) => fault));
			const calls = failures.map(() => ({ query: 'spring tides', limit: '1' }));
			const { execution, model } = await start(version, search, calls);
			const ended = await until('the agent to end', async () => {
				await service.clock.advance(60_000);
				const now = await real.n8n.api.execution(execution);
				return now.status === 'running' || now.status === 'new' ? undefined : now;
			});
			ended.succeeded();

			expect(toldTo(model)).toEqual(
				failures.map(([, message, advice]) => failed(advice, expect.stringMatching(message))),
			);
		});

		it('reads that the credits are used up', async () => {
			const calls = [{ query: 'spring tides', limit: '1' }];
			const { model } = await run(version, search, calls, { credits: 0 });

			expect(toldTo(model)).toEqual([
				failed(
					/add credits in the Firecrawl dashboard/,
					expect.stringMatching(/^Insufficient credits .*\(HTTP 402\)$/),
				),
			]);
		});

		it('spends no more in all its calls than the user allows', async () => {
			const parameters = { ...search, options: { maxCreditsPerExecution: 3 } };
			const calls = ['spring tides', 'neap tides'].map((query) => ({ query, limit: '1' }));
			const { model, requests } = await run(version, parameters, calls);

			expect(requests).toHaveLength(1);
			const [found, told] = toldTo(model);
			expect(found.inside).toEqual([expect.objectContaining({ source: 'web' })]);
			expect(told).toEqual(
				failed(
					/Request less, or raise the limit\./,
					expect.stringMatching(/Max Credits per Execution/),
				),
			);
		});

		it('reads that a job has taken too long, and that it was ended', async () => {
			const parameters = {
				resource: 'agent',
				operation: 'run',
				prompt: fromAI('prompt', 'What to find out'),
				options: { maxWait: 0 },
			};
			const { model, requests } = await run(version, parameters, [{ prompt: 'Who knows?' }]);

			const { path } = requests[requests.length - 1];
			const id = path.split('/').at(-1) ?? '';
			expect(requests.map((each) => `${each.method} ${each.path}`)).toEqual([
				'POST /v2/agent',
				`DELETE /v2/agent/${id}`,
			]);
			expect(toldTo(model)).toEqual([
				failed(
					/It was cancelled.*Request less at once.*A higher 'Max Wait'/,
					`The agent run ${id} did not finish within 0 minutes`,
				),
			]);
		});
	});
});
