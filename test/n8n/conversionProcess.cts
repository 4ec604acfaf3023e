import fastify from 'fastify';
import { runInNewContext } from 'node:vm';
import {
	NodeConnectionTypes,
	type ICredentialType,
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';
import { convert } from '../../tools/convert/convert.cjs';
import type { Workflow } from '../../tools/convert/workflow.cjs';
import { host } from '../unit/convert/build.cjs';
import { samples } from '../unit/convert/samples.cjs';
import { createEngine, type Engine, type WorkflowFile } from '../engine/harness.cjs';
import { startService, type Service } from '../mock/service.cjs';
import { serveOrders } from '../remote.cjs';
import { installed, load, loadOfficial } from './loadOfficial.cjs';

/** A request as the service got it. */
export interface Asked {
	request: string;
	body?: unknown;
}

/** What a workflow asked, and what its last node read. */
export interface Outcome {
	error?: string;
	asked: Asked[];
	read: IDataObject[];
}

/** A sample before and after its conversion, each run in n8n's engine. */
export interface Proof {
	name: string;
	before: Outcome;
	after: Outcome;
}

const nodeFiles: Record<string, string> = {
	extractFromFile: 'Files/ExtractFromFile/ExtractFromFile',
	httpRequest: 'HttpRequest/HttpRequest',
	if: 'If/If',
	set: 'Set/Set',
	splitOut: 'Transform/SplitOut/SplitOut',
	stopAndError: 'StopAndError/StopAndError',
	wait: 'Wait/Wait',
};

/** A Code node in the place of n8n's, which needs a process of its own; it gives the script the same data. */
const code: INodeType = {
	description: {
		displayName: 'Code',
		name: 'code',
		group: ['transform'],
		version: [1, 2],
		description: '',
		defaults: {},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [{ displayName: 'Code', name: 'jsCode', type: 'string', default: '' }],
	},
	async execute() {
		const script = `(async () => {${String(this.getNodeParameter('jsCode', 0))}\n})()`;
		const { $input, $, $json } = this.getWorkflowDataProxy(0);
		const items: INodeExecutionData[] = await runInNewContext(script, { $input, $, $json });
		return [items];
	},
};

/** n8n's own nodes, and the official package. */
function otherTypes() {
	const own = Object.entries(nodeFiles).map(([type, path]): [string, INodeType] => {
		const file = installed('WEB_DATA_N8N', `n8n-nodes-base/dist/nodes/${path}.node.js`);
		return [`n8n-nodes-base.${type}`, load(file)];
	});
	const firecrawl = loadOfficial<INodeType>('nodes/Firecrawl/Firecrawl.node.js');
	const firecrawlApi = loadOfficial<ICredentialType>('credentials/FirecrawlApi.credentials.js');
	const httpHeaderAuth: ICredentialType = {
		name: 'httpHeaderAuth',
		displayName: 'Header Auth',
		properties: [],
	};
	return {
		nodes: {
			...Object.fromEntries(own),
			'n8n-nodes-base.code': code,
			'@mendable/n8n-nodes-firecrawl.firecrawl': firecrawl,
		},
		credentials: { firecrawlApi, httpHeaderAuth },
	};
}

/** A workflow with the URL of the mock server for that of the hosted one. */
const at = (url: string, workflow: Workflow): WorkflowFile =>
	JSON.parse(JSON.stringify(workflow).replaceAll(host, url));

/** What the official node sends and the service ignores, but the mock server rejects. */
function withoutIgnored(body: unknown): unknown {
	if (Array.isArray(body)) return body.map(withoutIgnored);
	if (typeof body !== 'object' || body === null) return body;
	return Object.fromEntries(
		Object.entries(body).flatMap(([name, value]) => {
			const isEmpty =
				value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
			const isIgnored =
				['integration', 'settings'].includes(name) || (isEmpty && name !== 'parsers');
			return isIgnored ? [] : [[name, withoutIgnored(value)]];
		}),
	);
}

type Body = Record<string, unknown>;

/** What the samples scrape by v1, as v2 has it. */
function formatsOfV2(formats: unknown, extract: unknown): unknown {
	const others: Body = {
		extract: { type: 'json', ...Object(extract) },
		'screenshot@fullPage': { type: 'screenshot', fullPage: true },
	};
	return Array.isArray(formats)
		? formats.map((format: string) => others[format] ?? format)
		: undefined;
}

const maxAge = 86_400_000;

/** What v1 assumed where it was not sent, other than v2. */
const defaultsOfV1: Record<string, Body> = {
	'/v1/map': { limit: 5000 },
	'/v1/scrape': { maxAge },
	'/v1/batch/scrape': { maxAge, ignoreInvalidURLs: false },
	'/v1/crawl': { scrapeOptions: {} },
};

/** A request of v1 as that of v2, as far as the samples have any. */
function requestOfV2(path: string, body: Body): Body {
	const { ignoreSitemap, extract, formats, ...given } = body;
	const { scrapeOptions, ...rest }: Body = { ...defaultsOfV1[path], ...given };
	return {
		...rest,
		...(scrapeOptions !== undefined && { scrapeOptions: { maxAge, ...Object(scrapeOptions) } }),
		...(ignoreSitemap === true && { sitemap: 'skip' }),
		...(formats !== undefined && { formats: formatsOfV2(formats, extract) }),
	};
}

/** A response of v2 as that of v1, as far as the samples have any. */
function responseOfV1(path: string, { links, data, ...rest }: Body): Body {
	if (path === '/v1/map' && Array.isArray(links)) {
		return { ...rest, links: links.map((link: unknown) => Object(link).url) };
	}
	if (path === '/v1/search') return { ...rest, data: Object(data).web };
	if (path === '/v1/scrape') {
		const { json, ...page } = Object(data);
		return { ...rest, data: { ...page, extract: json } };
	}
	return { ...rest, data };
}

/** A server in front of the mock server that leaves out what the service ignores, knows v1 as far as the samples, and notes the requests. */
async function startTolerant(service: Service) {
	const asked: Asked[] = [];
	const app = fastify();
	app.all('*', async ({ method, url, headers: { authorization = '' }, body }, reply) => {
		const isV1 = url.startsWith('/v1/');
		const path = url.replace('/v1/', '/v2/');
		const given = withoutIgnored(body);
		const sent = isV1 && given !== undefined ? requestOfV2(url, Object(given)) : given;
		asked.push({ request: `${method} ${path}`, ...(sent !== undefined && { body: sent }) });
		const response = await fetch(`${service.url}${path}`, {
			method,
			headers: { authorization, 'content-type': 'application/json' },
			...(method !== 'GET' && method !== 'DELETE' && { body: JSON.stringify(sent) }),
		});
		const answer = Object(await response.json());
		return reply
			.code(response.status)
			.send(isV1 && response.ok ? responseOfV1(url, answer) : answer);
	});
	const url = await app.listen({ host: '127.0.0.1', port: 0 });
	return { url, asked, close: () => app.close() };
}

async function outcomeOf(
	engine: Engine,
	service: Service,
	tolerant: Awaited<ReturnType<typeof startTolerant>>,
	workflow: Workflow,
	reads: string,
): Promise<Outcome> {
	service.reset();
	tolerant.asked.length = 0;
	const key = 'fc-00000000000000000000000000000000';
	service.teams.add({ id: 'proof' }, key);
	const run = await engine.run({
		workflow: at(tolerant.url, workflow),
		credentials: {
			webDataApi: { baseUrl: tolerant.url, apiKey: key },
			firecrawlApi: { baseUrl: `${tolerant.url}/v2`, apiKey: key },
			httpHeaderAuth: { name: 'Authorization', value: `Bearer ${key}` },
		},
	});
	const { [reads]: tasks } = run.data.data.resultData.runData;
	const read = tasks === undefined ? [] : run.output(reads).map(({ json }) => json);
	return { error: run.error?.message, asked: [...tolerant.asked], read };
}

serveOrders(async (): Promise<Proof[]> => {
	const service = await startService();
	const tolerant = await startTolerant(service);
	const engine = await createEngine(undefined, otherTypes());
	const proofs: Proof[] = [];
	for (const [name, { workflow, reads }] of Object.entries(samples)) {
		if (reads === undefined) continue;
		const before = await outcomeOf(engine, service, tolerant, workflow, reads);
		const after = await outcomeOf(engine, service, tolerant, convert(workflow).workflow, reads);
		proofs.push({ name, before, after });
	}
	engine.close();
	await tolerant.close();
	await service.close();
	return proofs;
});
