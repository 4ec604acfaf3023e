import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toldIn } from '../engine/fence.cjs';
import type { Team } from '../mock/teams.cjs';
import { readExample } from './exampleFiles.cjs';
import { useN8n, type Account } from './n8n.cjs';
import { until } from './until.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';

const resultShape = z.object({
	isError: z.boolean().default(false),
	content: z.array(z.object({ type: z.literal('text'), text: z.string() })).length(1),
});

/** The example `mcp-server.json` in the real n8n, called by the official SDK as MCP clients do. */
describe("n8n's MCP server", () => {
	const real = useN8n('mcp');
	const token = 'token-of-these-tests';
	let bearer: { id: string; name: string };
	const open: Client[] = [];
	let count = 0;

	beforeAll(async () => {
		bearer = await real.n8n.api.createCredential('Token', { token }, 'httpBearerAuth');
	});
	afterEach(async () => {
		await Promise.all(open.splice(0).map(async (client) => await client.close()));
	});

	/** Publishes the example for an account, and connects to it. */
	async function connect(team: Partial<Team> = {}) {
		const { api } = real.n8n;
		const account = await real.n8n.account(team);
		const example = readExample('mcp-server.json');
		count += 1;
		const path = `web-${count}`;
		const nodes = example.nodes.map((node) =>
			node.name === 'MCP Server Trigger'
				? {
						...node,
						webhookId: path,
						parameters: { ...node.parameters, path },
						credentials: { httpBearerAuth: bearer },
					}
				: node,
		);
		const id = await api.createWorkflow({ ...example, nodes }, account.credential);
		await api.activate(id);
		const url = new URL(`${real.n8n.server.url}/mcp/${path}`);
		// n8n listens a moment after it has published a workflow.
		const client = await until('the server to listen', async () => {
			const tried = await clientOf(url, token).catch(() => undefined);
			return tried;
		});
		return { client, account, url };
	}

	/** Connects to a server, as its clients are configured. */
	async function clientOf(url: URL, given: string): Promise<Client> {
		const client = new Client({ name: 'these tests', version: '1' });
		const headers = { Authorization: `Bearer ${given}` };
		await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
		open.push(client);
		return client;
	}

	/** Calls a tool; returns its text, and whether it is an error. */
	async function call(client: Client, name: string, given: IDataObject, timeout = 60_000) {
		const result = await client.callTool({ name, arguments: given }, undefined, { timeout });
		const { isError, content } = resultShape.parse(result);
		return { isError, text: content[0].text };
	}
	const inside = (text: string) => toldIn(jsonParse<IDataObject[]>(text)).inside;
	const spent = ({ team }: Account) => real.n8n.service.ledger.spent(team.id);

	it('lists the tools, each with a description and what to fill in', async () => {
		const { client } = await connect();

		const { tools } = await client.listTools();

		expect(tools.map(({ name }) => name).sort()).toEqual([
			...['get_agent', 'get_crawl', 'map_website', 'scrape_page', 'search_passages'],
			...['search_web', 'start_agent', 'start_crawl'],
		]);
		for (const { description, inputSchema } of tools) {
			expect(description).toMatch(/\w+ \w+ \w+/);
			const filled = Object.values(inputSchema.properties ?? {});
			expect(filled.length).toBeGreaterThan(0);
			for (const each of filled) expect(each).toHaveProperty('description');
		}
		expect(JSON.stringify(tools).length).toBeLessThan(4 * 1200);
	});

	it('lets nobody in without the token', async () => {
		const { url } = await connect();

		await expect(clientOf(url, 'another')).rejects.toThrow();
	});

	it('returns results, passages, pages and URLs', async () => {
		const { client, account } = await connect();

		const found = await call(client, 'search_web', { query: 'spring tides' });
		const passages = await call(client, 'search_passages', { query: 'spring tides' });
		const page = await call(client, 'scrape_page', { url: tides });
		const urls = await call(client, 'map_website', {
			url: 'https://tidewatch.example/',
			search: 'tides',
		});

		expect([found, passages, page, urls].map(({ isError }) => isError)).toEqual(
			Array(4).fill(false),
		);
		expect(inside(found.text)).toContainEqual(expect.objectContaining({ url: tides }));
		expect(passages.text).toMatch(/spring tides/i);
		expect(inside(page.text)).toEqual([
			expect.objectContaining({ url: tides, markdown: expect.stringMatching(/spring tides/i) }),
		]);
		expect(urls.text).toContain('https://tidewatch.example/');
		expect(spent(account)).toBe(2 + (2 + 5) + 1 + 1);
	});

	it.each([
		['crawl', { url: 'https://tidewatch.example/' }],
		['agent', { prompt: 'Who writes about tides?' }],
	])('starts a long %s once, and returns its result later', async (noun, given) => {
		const { client } = await connect();

		const started = await call(client, `start_${noun}`, given);
		const again = await call(client, `start_${noun}`, given);
		const [{ jobId }] = inside(started.text);
		await real.n8n.service.clock.advance(600_000);
		const result = await call(client, `get_${noun}`, { jobId });

		expect(inside(again.text)).toEqual([expect.objectContaining({ jobId })]);
		expect(result.isError).toBe(false);
		expect(inside(result.text).length).toBeGreaterThan(0);
		expect(result.text).not.toMatch(/"status":"(scraping|processing)"/);
	});
});
