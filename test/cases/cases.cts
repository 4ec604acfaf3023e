import { createHash } from 'node:crypto';
import {
	NodeHelpers,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
} from 'n8n-workflow';
import { inMemory } from '../engine/file/inputFiles.cjs';
import type { WorkflowFile } from '../engine/harness.cjs';
import { LoadedNodeTypes } from '../engine/nodeTypes.cjs';
import { operationNames, type OperationName } from '../engine/operationNames.cjs';
import { Fixtures, validParameters } from '../engine/validParameters.cjs';
import { WebhookTrigger } from '../engine/webhookTrigger.cjs';
import type { Account, TestBed } from '../engine/testBed.cjs';
import { MultipartBody } from '../mock/endpoints/parse.cjs';
import type { LogEntry } from '../mock/requestLog.cjs';

/** A request as it went over the wire, IDs that the service gives and addresses of this machine aside. */
export interface SentRequest {
	/** Method, path and query. */
	request: string;
	headers: Record<string, string>;
	/** The text of a body of JSON, the parts of a form. */
	body?: unknown;
}

/** What a workflow's node does. */
export interface Outcome {
	requests: SentRequest[];
	/** Its items as they go on to the next node; a trigger's are tested elsewhere. */
	items: unknown[];
}

/** A case: a workflow as the editor saves it, with what its node sends and what comes out. */
export interface Case extends Outcome {
	workflow: WorkflowFile;
	/** What the account has at the service, by the IDs that the workflow names. */
	own: Record<string, string>;
}

const start = 'When clicking ‘Execute workflow’';
const itemsNode = 'Items';
const nodeName = 'Web Data';

/** What the node under test is given. */
const input: INodeExecutionData[] = [
	{ json: { tag: 'a' }, binary: { data: inMemory('fees.html', 'text/html', '<h1>Fees</h1>') } },
];

const triggers: Record<string, INodeParameters> = {
	webDataPollingTrigger: { watch: 'search', query: 'tide', limit: 2 },
	webDataTrigger: {
		source: 'newMonitor',
		targets: {
			values: [{ type: 'scrape', urls: 'https://tidewatch.example/guides/spring-tides' }],
		},
		schedule: 'hourly',
	},
};

const fileOf = ({ resource, operation }: OperationName) => `${resource}.${operation}`;

/** The names of all cases of a set: one for each operation and trigger. */
export const caseNames: string[] = [...operationNames.map(fileOf), ...Object.keys(triggers)].sort();

/** The ID that a saved workflow has for something of the account. */
const savedId = (name: string) =>
	`00000000-0000-4000-8000-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;

/** An account's possessions that note what was asked for. */
function noting(own: Fixtures, ids: Map<string, string>): Fixtures {
	return new Proxy(own, {
		get(target, name) {
			const member: unknown = Reflect.get(target, name);
			if (typeof member !== 'function') return member;
			return async () => {
				const id = String(await Reflect.apply(member, target, []));
				ids.set(String(name), id);
				return id;
			};
		},
	});
}

/** A text with other texts in the place of some. */
const replaced = (text: string, pairs: Iterable<readonly [from: string, to: string]>): string =>
	[...pairs].reduce((result, [from, to]) => result.replaceAll(from, to), text);

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Only headers that the nodes set; the others are n8n's. */
const headerNames = ['accept', 'content-type', 'x-idempotency-key', 'x-request-id'];

function described({ method, path, query, headers, body, authorization }: LogEntry): SentRequest {
	const given = headerNames
		.filter((name) => typeof headers[name] === 'string')
		.map((name) => [name, String(headers[name]).replace(/boundary=.*/, 'boundary=…')]);
	const search = new URLSearchParams(
		Object.entries(query).flatMap(([name, value]) =>
			(Array.isArray(value) ? value : [value]).map((each) => [name, String(each)]),
		),
	).toString();
	return {
		request: `${method} ${path}${search && `?${search}`}`,
		headers: { ...Object.fromEntries(given), ...(authorization && { authorization: 'Bearer …' }) },
		...(body !== undefined && {
			body: body instanceof MultipartBody ? body.parts : JSON.stringify(body),
		}),
	};
}

/** What was sent, once each, since polls are a matter of time; what closes a session belongs to no node. */
function outcomeOf(
	entries: readonly LogEntry[],
	items: readonly INodeExecutionData[],
	own: Record<string, string>,
	ids: Map<string, string>,
	name: string,
): Outcome {
	const known = Object.entries(own).map(
		([about, saved]) => [ids.get(about) ?? saved, saved] as const,
	);
	const texts = entries
		.filter(
			({ method, path }) =>
				method !== 'DELETE' || !path.includes('interact') || /delete|stop/i.test(name),
		)
		.map((entry) => JSON.stringify(described(entry)));
	const others = new Map<string, string>();
	const steady = (text: string) =>
		replaced(text, known)
			// By this mark the node knows the job of its own start.
			.replace(/n8n-web-data-[\w-]+/, 'n8n-web-data-<mark>')
			.replace(uuid, (id) => {
				if (id.startsWith('00000000-0000-4000-8000-')) return id;
				if (!others.has(id)) others.set(id, `<id ${others.size + 1}>`);
				return others.get(id) ?? id;
			})
			.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://<host>')
			// By this mark a trigger knows its own calls.
			.replace(/((?:trigger|token)\\":\\")[\w-]+/g, '$1<mark>')
			.replace(/("\w*(?:duration|Ms|elapsed)\w*":)[\d.]+/gi, '$1"<time>"')
			.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
			// The small web's ages count back from today.
			.replace(/( · )\d{4}-\d\d-\d\d/g, '$1<date>');
	const shown = items.map(({ json, pairedItem, binary }) => ({
		json,
		pairedItem,
		...(binary && { files: Object.keys(binary) }),
	}));
	return {
		requests: [...new Set(texts.map(steady))].map((text) => JSON.parse(text) as SentRequest),
		items: JSON.parse(steady(JSON.stringify(shown))) as unknown[],
	};
}

/** The node of a workflow as the editor saves it: without parameters that are as they come. */
function savedNode(testBed: TestBed, type: string, parameters: INodeParameters): INode {
	const { engine } = testBed;
	const node: INode = {
		id: savedId(type),
		name: nodeName,
		type: engine.typeName(type),
		typeVersion: 1,
		position: [200, 0],
		parameters,
		credentials: { webDataApi: { id: null, name: 'Web Data account' } },
	};
	const { description } = new LoadedNodeTypes(engine.loader).getByNameAndVersion(node.type, 1);
	const set = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		false,
		false,
		node,
		description,
	);
	return {
		...node,
		parameters: set ?? {},
		...(type === 'webDataTrigger' && { webhookId: savedId('webhook') }),
	};
}

function workflowOf(name: string, node: INode): WorkflowFile {
	if (name in triggers) return { name, nodes: [node], connections: {} };
	const before = [
		{ name: start, type: 'n8n-nodes-base.manualTrigger' },
		{ name: itemsNode, type: 'n8n-nodes-base.noOp' },
	].map(
		({ name: own, type }, index): INode => ({
			id: savedId(own),
			name: own,
			type,
			typeVersion: 1,
			position: [-400 + index * 200, 0],
			parameters: {},
		}),
	);
	const to = (target: string) => ({ main: [[{ node: target, type: 'main' as const, index: 0 }]] });
	return {
		name,
		nodes: [...before, node],
		connections: { [start]: to(itemsNode), [itemsNode]: to(nodeName) },
	};
}

/** Runs a saved workflow for an account. @throws Error when its execution fails */
async function outcome(
	testBed: TestBed,
	name: string,
	{ workflow, own }: Pick<Case, 'workflow' | 'own'>,
	{ credentials }: Account,
	ids: Map<string, string>,
): Promise<Outcome> {
	const pairs = Object.entries(own).map(
		([about, saved]) => [saved, ids.get(about) ?? saved] as const,
	);
	const here = JSON.parse(replaced(JSON.stringify(workflow), pairs)) as WorkflowFile;
	const before = testBed.service.log.entries.length;
	let items: INodeExecutionData[] = [];
	if (name === 'webDataTrigger') {
		const trigger = new WebhookTrigger(testBed.engine, {
			workflow: here,
			node: nodeName,
			credentials,
		});
		await trigger.open();
		await trigger.activate();
		await trigger.deactivate();
		await trigger.close();
	} else {
		const startWith = name in triggers ? undefined : { node: itemsNode, items: input };
		const run = await testBed.engine.run({ workflow: here, credentials, startWith });
		if (run.status !== 'success') throw new Error(`${name}: ${run.error?.message}`);
		if (!(name in triggers)) items = run.output(nodeName);
	}
	return outcomeOf(testBed.service.log.entries.slice(before), items, own, ids, name);
}

/** An account for the workflow; a job that it looks at or cancels is still running then, however busy the machine is. */
function accountFor(testBed: TestBed, name: string): Account {
	const isHeld = /^(batch|crawl)\.(get|cancel)$/.test(name);
	testBed.service.context.pageJobs.set({ pageMs: isHeld ? 24 * 3_600_000 : 100 });
	return testBed.account();
}

/** Makes the case of an operation or trigger: its workflow as the editor would save it now, and its outcome. */
export async function makeCase(testBed: TestBed, name: string): Promise<Case> {
	const account = accountFor(testBed, name);
	const ids = new Map<string, string>();
	const operation = operationNames.find((each) => fileOf(each) === name);
	const possessions = noting(new Fixtures(testBed.service, account), ids);
	const parameters = operation
		? { ...operation, ...(await validParameters(operation, possessions)) }
		: triggers[name];
	const own = Object.fromEntries([...ids.keys()].map((about) => [about, savedId(about)]));
	const text = replaced(
		JSON.stringify(parameters),
		[...ids].map(([about, id]) => [id, savedId(about)] as const),
	);
	// An ID that nothing of the account has, as one that is gone.
	const steady = text.replace(uuid, (id) =>
		Object.values(own).includes(id) ? id : savedId('gone'),
	);
	const node = savedNode(
		testBed,
		operation ? 'webData' : name,
		JSON.parse(steady) as INodeParameters,
	);
	const saved = { workflow: workflowOf(name, node), own };
	const result = await outcome(testBed, name, saved, account, ids);
	if (result.requests.length === 0) throw new Error(`The workflow ${name} sends nothing`);
	return { ...saved, ...result };
}

/** What a case's workflow does now, for an account that has what the workflow names. */
export async function outcomeNow(testBed: TestBed, name: string, saved: Case): Promise<Outcome> {
	const account = accountFor(testBed, name);
	const ids = new Map<string, string>();
	const possessions = noting(new Fixtures(testBed.service, account), ids);
	for (const about of Object.keys(saved.own)) {
		const make: unknown = Reflect.get(possessions, about);
		if (typeof make !== 'function') throw new Error(`Nothing makes ${about}`);
		await Reflect.apply(make, possessions, []);
	}
	return await outcome(testBed, name, saved, account, ids);
}
