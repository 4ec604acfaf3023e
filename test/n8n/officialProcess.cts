import fastify from 'fastify';
import type { ICredentialType, INode, INodeType } from 'n8n-workflow';
import { convert } from '../../tools/convert/convert.cjs';
import type { Row } from '../../tools/convert/report.cjs';
import { readWorkflow, type Workflow } from '../../tools/convert/workflow.cjs';
import { behindItems, createEngine, type Engine } from '../engine/harness.cjs';
import { serveOrders } from '../remote.cjs';
import { loadOfficial } from './loadOfficial.cjs';
import { officialCases, type OfficialCase } from './officialCases.cjs';

/** A request as the service got it. */
export interface Recorded {
	request: string;
	body: Record<string, unknown>;
}

/** What a node of the official package asks, and what the converted one does. */
export interface Comparison extends OfficialCase {
	version: string;
	row: Row;
	official: Recorded[];
	ours: Recorded[];
	/** Of the converted node. */
	error?: string;
}

const type = '@mendable/n8n-nodes-firecrawl.firecrawl';

/** The versions by the names of their packages in the kit. */
const versions: Record<string, string> = {
	'1.0.6': 'firecrawl-1.0',
	'1.2.1': 'firecrawl-1.2',
	'2.1.2': '@mendable/n8n-nodes-firecrawl',
};

const id = '00000000-0000-4000-8000-000000000000';
const details = {
	limit: 1,
	remainingCredits: 1,
	planCredits: 1,
	url: 'https://tidewatch.example/',
};
const lists = { errors: [], robotsBlocked: [], crawls: [], sessions: [], periods: [], links: [] };

/** The data of a response, by the path: what is asked matters here, not what comes back. */
function dataOf(path: string): object {
	if (path.endsWith('/v2/scrape'))
		return { markdown: 'Tides', json: {}, metadata: { scrapeId: id, statusCode: 200 } };
	if (path.endsWith('/search')) return { web: [] };
	return /agent|team|preview|extract/.test(path) ? details : [];
}

/** A service that ends every job at once, and records what each run asks, which is the first part of its paths. */
async function startRecorder() {
	const recorded = new Map<string, Recorded[]>();
	const app = fastify();
	app.all('*', async ({ method, url, body }) => {
		const [, run, path = ''] = /^\/([^/]+)\/v2(\/.*)$/.exec(url) ?? [];
		const request = { request: `${method} ${path}`, body: Object(body) };
		recorded.set(run, [...(recorded.get(run) ?? []), request]);
		const ended = {
			success: true,
			id,
			status: 'completed',
			total: 0,
			completed: 0,
			creditsUsed: 1,
		};
		return { ...ended, ...lists, data: dataOf(url.split('?')[0]) };
	});
	const url = await app.listen({ host: '127.0.0.1', port: 0 });
	return { url, of: (run: string) => recorded.get(run) ?? [], close: () => app.close() };
}

type Recorder = Awaited<ReturnType<typeof startRecorder>>;

/** Runs a workflow, and returns what it asked and its error. */
async function run(engine: Engine, recorder: Recorder, name: string, { nodes }: Workflow) {
	const baseUrl = `${recorder.url}/${name}`;
	const apiKey = 'fc-00000000000000000000000000000000';
	const credentials = {
		webDataApi: { baseUrl, apiKey },
		firecrawlApi: { baseUrl: `${baseUrl}/v2`, apiKey },
	};
	const chain = nodes.filter((node) => !node.type.endsWith('.stickyNote'));
	const error = await engine
		.run({ ...behindItems([{}], chain as unknown as INode[]), credentials })
		.then(
			(ended) => ended.error?.message,
			({ message }: Error) => message,
		);
	return { error, asked: recorder.of(name) };
}

/** A node as a workflow; an extraction with the node that asks for its state. */
function workflowOf({ operation, parameters }: OfficialCase): Workflow {
	const status = {
		resource: parameters.resource,
		operation: 'getExtractStatus',
		extractId: '={{ $json.id }}',
	};
	const nodes = [
		{ name: 'Node', type, parameters },
		...(operation === 'extract' ? [{ name: 'Status', type, parameters: status }] : []),
	];
	const connections = { Node: { main: [[{ node: 'Status', type: 'main', index: 0 }]] } };
	return readWorkflow({ nodes, connections: operation === 'extract' ? connections : {} });
}

async function compare(version: string, recorder: Recorder): Promise<Comparison[]> {
	const load = <Type,>(path: string) => loadOfficial<Type>(path, versions[version]);
	const official = load<INodeType>('nodes/Firecrawl/Firecrawl.node.js');
	const firecrawlApi = load<ICredentialType>('credentials/FirecrawlApi.credentials.js');
	const engine = await createEngine(undefined, {
		nodes: { [type]: official },
		credentials: { firecrawlApi },
	});
	const queue = [...officialCases(official.description).entries()];
	const found: Comparison[] = [];
	const work = async () => {
		for (let next = queue.shift(); next; next = queue.shift()) {
			const [index, given] = next;
			const before = workflowOf(given);
			const { workflow, report } = convert(before);
			const { asked } = await run(engine, recorder, `${version}-${index}-before`, before);
			const [row] = report.rows;
			const ours =
				row.state === 'kept'
					? { asked: [] }
					: await run(engine, recorder, `${version}-${index}-after`, workflow);
			found.push({
				...given,
				version,
				row,
				official: asked,
				ours: ours.asked,
				...('error' in ours && { error: ours.error }),
			});
		}
	};
	await Promise.all(Array.from({ length: 16 }, work));
	engine.close();
	return found;
}

serveOrders(async (): Promise<Comparison[]> => {
	const recorder = await startRecorder();
	const all: Comparison[] = [];
	for (const version of Object.keys(versions)) all.push(...(await compare(version, recorder)));
	await recorder.close();
	return all;
});
