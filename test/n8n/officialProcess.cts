import fastify from 'fastify';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialType, INode, INodeType } from 'n8n-workflow';
import { convert } from '../../tools/convert/convert.cjs';
import type { Row } from '../../tools/convert/report.cjs';
import { readWorkflow, type WorkflowNode } from '../../tools/convert/workflow.cjs';
import { behindItems, createEngine, type Engine } from '../engine/harness.cjs';
import { officialCases } from './officialCases.cjs';

/** A request as the service got it. */
export interface Recorded {
	request: string;
	body: Record<string, unknown>;
}

/** What a node of the official package asks, and what the converted one does. */
export interface Comparison {
	name: string;
	version: string;
	operation: string;
	parameters: object;
	converted: object;
	row: Row;
	official: Recorded[];
	ours: Recorded[];
	officialError?: string;
	error?: string;
}

const type = '@mendable/n8n-nodes-firecrawl.firecrawl';

/** The versions by the names of their folders in the kit. */
const versions: Record<string, string> = {
	'1.0.6': 'firecrawl-1.0',
	'1.2.1': 'firecrawl-1.2',
	'2.1.2': '@mendable/n8n-nodes-firecrawl',
};

const resolve = createRequire(join(process.env.WEB_DATA_PEER ?? '', 'package.json')).resolve;

function load<Type>(name: string, file: string, exported: string): Type {
	const loaded: Record<string, new () => Type> = require(
		join(resolve(`${name}/package.json`), '../dist', file),
	);
	return new loaded[exported]();
}

const id = '00000000-0000-4000-8000-000000000000';

/** A response that ends every operation: what is asked matters here, not what comes back. */
function responseTo(path: string): object {
	const ended = { success: true, id, status: 'completed', total: 0, completed: 0, creditsUsed: 1 };
	const page = { markdown: 'Tides', metadata: { scrapeId: id, statusCode: 200 } };
	if (path.endsWith('/scrape')) return { ...ended, data: page };
	if (path.endsWith('/search')) return { ...ended, data: { web: [] } };
	if (path.endsWith('/map')) return { ...ended, links: [] };
	const details = {
		limit: 1,
		remainingCredits: 1,
		planCredits: 1,
		url: 'https://tidewatch.example/',
	};
	const isDetail = /agent|team|preview/.test(path);
	const lists = { errors: [], robotsBlocked: [], crawls: [], sessions: [], periods: [] };
	return { ...ended, ...lists, data: isDetail ? details : [] };
}

/** A service that records what each run asks, which is the first part of its paths. */
async function startRecorder() {
	const recorded = new Map<string, Recorded[]>();
	const app = fastify();
	app.all('*', async ({ method, url, body }) => {
		const [, run, path = ''] = /^\/([^/]+)\/v2(\/.*)$/.exec(url) ?? [];
		const list = recorded.get(run) ?? [];
		recorded.set(run, [...list, { request: `${method} ${path}`, body: Object(body) }]);
		return responseTo(path.split('?')[0]);
	});
	const url = await app.listen({ host: '127.0.0.1', port: 0 });
	return { url, of: (run: string) => recorded.get(run) ?? [], close: () => app.close() };
}

type Recorder = Awaited<ReturnType<typeof startRecorder>>;

async function run(engine: Engine, { url }: Recorder, name: string, node: WorkflowNode) {
	const baseUrl = `${url}/${name}`;
	const apiKey = 'fc-00000000000000000000000000000000';
	try {
		const ended = await engine.run({
			...behindItems([{}], [node as unknown as INode]),
			credentials: {
				webDataApi: { baseUrl, apiKey },
				firecrawlApi: { baseUrl: `${baseUrl}/v2`, apiKey },
			},
		});
		return ended.error?.message;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

async function compare(version: string, recorder: Recorder): Promise<Comparison[]> {
	const official = load<INodeType>(
		versions[version],
		'nodes/Firecrawl/Firecrawl.node.js',
		'Firecrawl',
	);
	const firecrawlApi = load<ICredentialType>(
		versions[version],
		'credentials/FirecrawlApi.credentials.js',
		'FirecrawlApi',
	);
	const engine = await createEngine(undefined, {
		nodes: { [type]: official },
		credentials: { firecrawlApi },
	});
	const one = async (
		{ name, operation, parameters }: ReturnType<typeof officialCases>[number],
		index: number,
	): Promise<Comparison> => {
		const node = { name: 'Node', type, typeVersion: 1, parameters, id: 'n' };
		const { workflow, report } = convert(readWorkflow({ nodes: [node], connections: {} }));
		const [before, after] = [`${version}-${index}-official`, `${version}-${index}-ours`];
		const officialError = await run(
			engine,
			recorder,
			before,
			readWorkflow({ nodes: [node] }).nodes[0],
		);
		const [row] = report.rows;
		const error =
			row.state === 'kept' ? undefined : await run(engine, recorder, after, workflow.nodes[0]);
		const converted = workflow.nodes[0].parameters;
		return {
			name,
			version,
			operation,
			parameters,
			converted,
			row,
			official: recorder.of(before),
			ours: recorder.of(after),
			officialError,
			error,
		};
	};
	const cases = officialCases(official.description);
	const found: Comparison[] = [];
	const queue = [...cases.entries()];
	const work = async () => {
		for (let next = queue.shift(); next; next = queue.shift())
			found.push(await one(next[1], next[0]));
	};
	await Promise.all(Array.from({ length: 16 }, work));
	engine.close();
	return found;
}

async function main(): Promise<void> {
	const recorder = await startRecorder();
	const all: Comparison[] = [];
	for (const version of Object.keys(versions)) all.push(...(await compare(version, recorder)));
	await recorder.close();
	process.send?.(all);
	if (process.env.OUT)
		require('node:fs').writeFileSync(process.env.OUT, JSON.stringify(all, null, 1));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
