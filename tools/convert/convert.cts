import { withoutDownload } from './downloads.cjs';
import { isExpression } from './expressions.cjs';
import { httpCall, isHttpRequest } from './httpRequest.cjs';
import { isObject, objectOf, textOf, type JsonObject } from './json.cjs';
import { plainKeys, withoutKeys } from './keys.cjs';
import { hangOn, loopBehind, withoutLoop } from './loops.cjs';
import { isOfficial, officialCall } from './official.cjs';
import { operationFor, type Converted, type Operation } from './operations.cjs';
import { rewriteReads, stepsOf, type Rewriting } from './reads.cjs';
import type { Conversion, Row } from './report.cjs';
import { isRefusal, type Refusal, type ServiceCall } from './serviceCall.cjs';
import {
	entryShape,
	extractionShape,
	fieldShape,
	pageShape,
	responseShape,
	startShape,
	statusShape,
	unreadable,
	type Shape,
} from './shapes.cjs';
import {
	onlySuccessorOf,
	successorsOf,
	withoutSuccessor,
	type Workflow,
	type WorkflowNode,
} from './workflow.cjs';

export interface ConvertOptions {
	/** Hosts of self-hosted servers, besides the hosted service. */
	hosts?: readonly string[];
}

const isEmpty = (value: unknown) => !isObject(value) || Object.keys(value).length === 0;

const hosted = ['api.firecrawl.dev'];

const pack = 'n8n-nodes-web-data';

/** Converts every node of a workflow that asks the service. */
export function convert(workflow: Workflow, { hosts = [] }: ConvertOptions = {}): Conversion {
	const known = [...hosted, ...hosts.map((host) => host.toLowerCase())];
	const keys = plainKeys(workflow, (node) => callOf(node, known) !== undefined);
	let state: Conversion = { workflow, report: { rows: [], keys } };
	for (const { name } of workflow.nodes) state = convertNode(state, name, known);
	const rows = state.report.rows.map(({ before, after, reasons, notes, ...row }) => ({
		...row,
		before: withoutKeys(before),
		after: withoutKeys(after),
		reasons: reasons.map(withoutKeys),
		notes: notes.map(withoutKeys),
	}));
	return withNotes({ ...state, report: { rows, keys } });
}

function callOf(node: WorkflowNode, hosts: readonly string[]): ServiceCall | Refusal | undefined {
	const called = isHttpRequest(node) ? httpCall(node, hosts) : undefined;
	const call = isOfficial(node) ? officialCall(node) : called;
	const continues = node.onError === 'continueRegularOutput' || node.continueOnFail === true;
	return call === undefined || isRefusal(call) ? call : { ...call, continues };
}

const words = (name: string) => {
	const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2');
	return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

const titles: Record<string, string> = { session: 'Browser Session' };

/** An operation as the documentation names it. */
const titleOf = ({ resource, operation }: { resource: string; operation: string }) =>
	`${titles[resource] ?? words(resource)}: ${operation === 'getAll' ? 'Get Many' : words(operation)}`;

function beforeOf(node: WorkflowNode, call: ServiceCall | undefined): string {
	if (isOfficial(node))
		return `Firecrawl: ${textOf(node.parameters.operation) || 'first operation'}`;
	return call ? `HTTP Request: ${call.endpoint} of ${call.version}` : 'HTTP Request';
}

function convertNode(
	{ workflow, report }: Conversion,
	name: string,
	hosts: readonly string[],
): Conversion {
	const node = workflow.nodes.find((each) => each.name === name);
	const call = node && callOf(node, hosts);
	if (!node || !call) return { workflow, report };
	const { keys } = report;
	const kept = (reasons: string[]): Conversion => ({
		workflow,
		report: {
			keys,
			rows: [
				...report.rows,
				{
					node: name,
					before: beforeOf(node, isRefusal(call) ? undefined : call),
					after: 'stays as it is',
					state: 'kept',
					reasons,
					notes: [],
				},
			],
		},
	});
	if (isRefusal(call)) return kept([call.reason]);
	const looped = convertLoop(workflow, node, call, hosts);
	if (looped && typeof looped !== 'string') {
		const { workflow: converted, row } = looped;
		return { workflow: converted, report: { keys, rows: [...report.rows, row] } };
	}
	if (call.endpoint === 'POST /extract') {
		const why = looped ?? 'nothing asks for its status in a way that is understood';
		return kept([`An extraction is replaced together with its polling loop, but ${why}.`]);
	}
	const converted = operationFor(call);
	if (isRefusal(converted)) return kept([converted.reason]);
	const outcome = outputFor(workflow, name, call, converted);
	if ('unclear' in outcome) return kept(outcome.unclear);
	const { rewriting } = outcome;
	const isPage = converted.operation.resource === 'page' && !isPinned(workflow, name);
	const single = isPage ? withoutDownload(rewriting.workflow, name) : undefined;
	const parameters = single ? withFiles(outcome.parameters) : outcome.parameters;
	const newNode = webDataNode(node, shaped(converted.parameters, parameters));
	const rest = single?.workflow ?? rewriting.workflow;
	const nodes = rest.nodes.map((each) => (each.name === name ? newNode : each));
	const rewritten = rewriting.rewritten.filter((other) => other !== single?.download);
	const row: Row = {
		node: name,
		before: beforeOf(node, call),
		after: titleOf(converted.operation),
		state: converted.lost.length === 0 ? 'whole' : 'part',
		reasons: converted.lost,
		notes: [
			...converted.notes,
			...notesOf(workflow, name, rewritten, outcome.isSame),
			...(outcome.split === undefined
				? []
				: [`It returns an item for each entry, so "${outcome.split}" fell away.`]),
			...(single === undefined
				? []
				: [`It downloads the screenshot by itself, so "${single.download}" fell away.`]),
			...(looped === undefined ? [] : [`It does not wait for its job by itself: ${looped}.`]),
		],
	};
	return {
		workflow: { ...rest, nodes },
		report: { keys, rows: [...report.rows, row] },
	};
}

const isPinned = ({ pinData }: Workflow, name: string) =>
	isObject(pinData) && Object.hasOwn(pinData, name);

/** The setting that returns files, in addition to others. */
const withFiles = ({ options, ...parameters }: JsonObject): JsonObject => ({
	...parameters,
	options: { ...objectOf(options), downloadFiles: true },
});

function notesOf(
	workflow: Workflow,
	name: string,
	rewritten: readonly string[],
	isSame: boolean,
): string[] {
	return [
		...(rewritten.length > 0 ? [`Expressions were rewritten in: ${rewritten.join(', ')}.`] : []),
		...(isPinned(workflow, name) && !isSame
			? ['Its pinned data has the former shape: unpin it and run the node.']
			: []),
	];
}

/** Leaves extracted data in `json`, as the response has it: another format stands beside it. */
const nestedJson: JsonObject = { keepsJson: true };

/** The parameters with those of a shape; markdown is free beside extracted data. */
function shaped(parameters: JsonObject, { keepsJson = false, ...shape }: JsonObject): JsonObject {
	const { formats } = parameters;
	const options = { ...objectOf(parameters.options), ...objectOf(shape.options) };
	const all = { ...parameters, ...(Object.keys(options).length > 0 && { options }) };
	if (keepsJson === false) return all;
	return { ...all, formats: [...(Array.isArray(formats) ? formats : ['json']), 'markdown'] };
}

/** What makes the items of pages the same as in the response: without it, data that is the only format is at the top. */
function itemsOf({ body }: ServiceCall): JsonObject {
	const formats = body.formats ?? objectOf(body.scrapeOptions).formats ?? [];
	const [format, ...others] = Array.isArray(formats) ? formats : [formats];
	const isJson = isExpression(format) || (objectOf(format).type ?? format) === 'json';
	return isJson && others.length === 0 ? nestedJson : {};
}

/** How later nodes read the items of a job that its start now waits for. */
function loopShapes(
	call: ServiceCall,
	status: ServiceCall,
	{ resource, operation }: Operation,
): { ofStart: Shape; ofStatus: Shape; parameters: JsonObject } {
	const response = { options: { output: 'raw' } };
	if (call.endpoint !== 'POST /extract') {
		return { ofStart: startShape(call), ofStatus: statusShape(status), parameters: response };
	}
	if (resource === 'agent') {
		return { ofStart: startShape(call), ofStatus: responseShape(status), parameters: response };
	}
	return operation === 'scrape'
		? { ofStart: unreadable, ofStatus: extractionShape(status), parameters: nestedJson }
		: { ofStart: unreadable, ofStatus: unreadable, parameters: {} };
}

/** A start and its polling loop as one node, or why they stay several; undefined if there is no loop. */
function convertLoop(
	workflow: Workflow,
	node: WorkflowNode,
	call: ServiceCall,
	hosts: readonly string[],
): { workflow: Workflow; row: Row } | string | undefined {
	const serviceCall = (each: WorkflowNode) => {
		const other = callOf(each, hosts);
		return other && !isRefusal(other) ? other : undefined;
	};
	const loop = loopBehind(workflow, node.name, call, serviceCall);
	if (loop === undefined || typeof loop === 'string') return loop;
	const converted = operationFor(call, true);
	if (isRefusal(converted)) return converted.reason;
	const statusNode = workflow.nodes.find(({ name }) => name === loop.statuses[0]);
	const status = statusNode && serviceCall(statusNode);
	if (!status) return undefined;
	const shapes = loopShapes(call, status, converted.operation);
	const steps: Array<[name: string, shape: Shape]> = [
		[node.name, shapes.ofStart],
		...[...loop.statuses, ...loop.others].map((name): [string, Shape] => [name, shapes.ofStatus]),
	];
	let current = withoutLoop(workflow, loop);
	const rewritten: string[] = [];
	for (const [name, shape] of steps) {
		const rewriting = rewriteReads(current, name, shape, node.name);
		if (rewriting.unclear.length > 0) return rewriting.unclear.join(' ').replace(/\.$/, '');
		rewritten.push(...rewriting.rewritten);
		current = rewriting.workflow;
	}
	const newNode = webDataNode(node, shaped(converted.parameters, shapes.parameters));
	const gone = [...loop.statuses, ...loop.others];
	return {
		workflow: {
			...hangOn(current, loop),
			nodes: current.nodes.map((each) => (each.name === node.name ? newNode : each)),
		},
		row: {
			node: node.name,
			before: `${beforeOf(node, call)}, with a polling loop of ${gone.length} nodes`,
			after: titleOf(converted.operation),
			state: converted.lost.length === 0 ? 'whole' : 'part',
			reasons: converted.lost,
			notes: [
				...converted.notes,
				`It waits by itself, so these fell away: ${gone.join(', ')}.`,
				...notesOf(workflow, node.name, [...new Set(rewritten)], false),
			],
		},
	};
}

/** The Split Out behind a node that splits the list of which its operation returns the entries. */
function splitBehind(
	workflow: Workflow,
	name: string,
	call: ServiceCall,
	{ list, hasResponse }: Operation,
): WorkflowNode | undefined {
	const node = onlySuccessorOf(workflow, name);
	if (!list || !node?.type.endsWith('.splitOut')) return undefined;
	const { fieldToSplitOut, include, options } = node.parameters;
	const isPlain = (include ?? 'noOtherFields') === 'noOtherFields' && isEmpty(options);
	const place =
		hasResponse === true
			? responseShape(call).placeOf(stepsOf(textOf(fieldToSplitOut)))
			: { steps: stepsOf(textOf(fieldToSplitOut)) };
	const isList = place && 'steps' in place && place.steps.join('.') === list.join('.');
	// With other sources there are other lists, which come out too.
	const { sources } = call.body;
	const isWeb = sources === undefined || JSON.stringify(sources) === '["web"]';
	return isPlain && isList && isWeb ? node : undefined;
}

/** A node with the Split Out behind it as one that returns an item for each entry; undefined if other nodes read the list. */
function withoutSplit(
	workflow: Workflow,
	name: string,
	call: ServiceCall,
	split: WorkflowNode,
): Rewriting | undefined {
	const joined = withoutSuccessor(workflow, name, split.name);
	const { [name]: links = {}, ...connections } = joined.connections;
	const alone = { ...joined, connections: { ...connections, [split.name]: links } };
	const named = rewriteReads(alone, name, unreadable);
	const rewriting = rewriteReads(alone, split.name, entryShape(call), name);
	if (named.unclear.length > 0 || rewriting.unclear.length > 0) return undefined;
	return {
		...rewriting,
		workflow: { ...rewriting.workflow, connections: joined.connections },
	};
}

interface Output {
	parameters: JsonObject;
	rewriting: Rewriting;
	/** Whether its items are the former ones. */
	isSame: boolean;
	/** The Split Out that fell away. */
	split?: string;
}

/** The output by which later nodes read on: the one of this pack if all of them are understood, else the whole response. */
function outputFor(
	workflow: Workflow,
	name: string,
	call: ServiceCall,
	{ operation }: Converted,
): Output | { unclear: string[] } {
	const split = splitBehind(workflow, name, call, operation);
	const single = split && withoutSplit(workflow, name, call, split);
	if (single) {
		return { parameters: itemsOf(call), rewriting: single, isSame: false, split: split.name };
	}
	const isList = operation.list !== undefined && operation.hasResponse !== true;
	if (isList && successorsOf(workflow, name).length > 0) {
		return {
			unclear: [
				'It would return an item for each entry of its list, and what follows would run for each, or not at all.',
			],
		};
	}
	const candidates: Array<{ parameters: JsonObject; shape: Shape }> = [
		...(operation.resource === 'page'
			? [
					// Data that is the only format would be at the top of the item.
					itemsOf(call) === nestedJson
						? { parameters: { options: { output: 'raw' } }, shape: responseShape(call) }
						: { parameters: {}, shape: pageShape(call) },
				]
			: []),
		operation.hasResponse === true
			? { parameters: { options: { output: 'raw' } }, shape: responseShape(call) }
			: { parameters: {}, shape: fieldShape(call, operation) },
	];
	const unclear: string[] = [];
	for (const { parameters, shape } of candidates) {
		const rewriting = rewriteReads(workflow, name, shape);
		if (rewriting.unclear.length === 0) return { parameters, rewriting, isSame: shape.isSame };
		unclear.splice(0, unclear.length, ...rewriting.unclear);
	}
	return { unclear };
}

/** What a node keeps as a tool of an agent. */
const ofTools = ['toolDescription', 'descriptionType'];

/** The node of this pack in the place of another, with its name, position, notes and settings. */
function webDataNode(node: WorkflowNode, parameters: JsonObject): WorkflowNode {
	const { credentials: _credentials, ...kept } = node;
	const isTool = node.type.endsWith('Tool');
	const own = Object.entries(node.parameters).filter(
		([field]) => isTool && ofTools.includes(field),
	);
	return {
		...kept,
		type: `${pack}.${isTool ? 'webDataTool' : 'webData'}`,
		typeVersion: 1,
		parameters: { ...parameters, ...Object.fromEntries(own) },
	};
}

/** Adds a sticky note beside each node that stays, or that lost something. */
function withNotes({ workflow, report }: Conversion): Conversion {
	const taken = new Set(workflow.nodes.map(({ name }) => name));
	const notes = report.rows
		.filter(({ reasons }) => reasons.length > 0)
		.flatMap(({ node: name, state, reasons }, index): WorkflowNode[] => {
			const node = workflow.nodes.find((each) => each.name === name);
			if (!node) return [];
			const title = state === 'kept' ? 'was not converted' : 'lost something';
			const [x, y] = node.position;
			let noteName = `Note on ${name}`;
			while (taken.has(noteName)) noteName += ' (2)';
			taken.add(noteName);
			return [
				{
					id: `converter-note-${index + 1}`,
					name: noteName,
					type: 'n8n-nodes-base.stickyNote',
					typeVersion: 1,
					// On the grid of the canvas, if the node is.
					position: [x - 32, y + 144],
					parameters: {
						content: `**${name}** ${title}:\n${reasons.map((reason) => `- ${reason}`).join('\n')}`,
						width: 300,
						height: 100 + 60 * reasons.length,
						color: 3,
					},
				},
			];
		});
	return { report, workflow: { ...workflow, nodes: [...workflow.nodes, ...notes] } };
}
