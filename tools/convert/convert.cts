import { endingKinds, endingOf, replacementsOf, stateOf, stops } from './ending.cjs';
import { httpCall, isHttpRequest } from './httpRequest.cjs';
import { objectOf, textOf, type JsonObject } from './json.cjs';
import { plainKeys, withoutKeys } from './keys.cjs';
import { hangOn, isReadId, loopBehind, withoutLoop, type Loop } from './loops.cjs';
import { isOfficial, officialCall, officialEndpoint } from './official.cjs';
import { operationFor, type Converted, type Operation } from './operations.cjs';
import { callerGets, hasCaller, rewriteReads, stepsOf, type Rewriting } from './reads.cjs';
import type { Conversion, Row } from './report.cjs';
import { isRefusal, type Refusal, type ServiceCall } from './serviceCall.cjs';
import {
	entryShape,
	extractionShape,
	fieldShape,
	responseShape,
	startShape,
	unreadable,
	type Shape,
} from './shapes.cjs';
import {
	predecessorsOf,
	shortType,
	successorsOf,
	type Workflow,
	type WorkflowNode,
} from './workflow.cjs';

export interface ConvertOptions {
	/** Hosts of self-hosted servers, besides the hosted service. */
	hosts?: readonly string[];
}

/** A workflow in which a node was converted or stays, and what became of it. */
interface Step {
	workflow: Workflow;
	row: Row;
}

/** The setting *Output* of a node. */
type Output = 'results' | 'raw';

type CallOf = (node: WorkflowNode) => ServiceCall | Refusal | undefined;

/** Converts every node of a workflow that asks the service. */
export function convert(workflow: Workflow, { hosts = [] }: ConvertOptions = {}): Conversion {
	const known = ['api.firecrawl.dev', ...hosts.map((host) => host.toLowerCase())];
	const readCall: CallOf = (node) => {
		const called = isHttpRequest(node) ? httpCall(node, known) : undefined;
		const call = isOfficial(node) ? officialCall(node) : called;
		const continues = node.onError === 'continueRegularOutput' || node.continueOnFail === true;
		return call === undefined || isRefusal(call) ? call : { ...call, continues };
	};
	const calls = new WeakMap<WorkflowNode, ServiceCall | Refusal | undefined>();
	const callOf: CallOf = (node) => {
		if (!calls.has(node)) calls.set(node, readCall(node));
		return calls.get(node);
	};
	const keys = plainKeys(workflow, (node) => callOf(node) !== undefined);
	const rows = new Map<string, Row>();
	let current = workflow;
	for (const { name } of workflow.nodes) {
		// It may have fallen away.
		const node = current.nodes.find((each) => each.name === name);
		const call = node && callOf(node);
		if (!call) continue;
		const step = convertNode(current, node, call, callOf);
		current = step.workflow;
		rows.set(name, step.row);
	}
	for (const kind of endingKinds) {
		const apart = convertApart(current, kind, callOf);
		current = apart.workflow;
		for (const row of apart.rows) {
			const why = rows.get(row.node)?.reasons.filter((reason) => reason.startsWith(notAlone));
			rows.set(row.node, { ...row, notes: [...row.notes, ...(why ?? [])] });
		}
		for (const name of apart.names) {
			const row = rows.get(name);
			if (row) rows.set(name, { ...row, reasons: [...apart.unclear, ...row.reasons] });
		}
	}
	const all = [...rows.values()].map(redacted);
	return { workflow: withNotes(current, all), report: { rows: all, keys } };
}

/** The row without keys, which stand in names that are repeated. */
const redacted = (row: Row): Row => ({
	...row,
	before: withoutKeys(row.before),
	reasons: row.reasons.map(withoutKeys),
	notes: row.notes.map(withoutKeys),
});

const words = (name: string) => {
	const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2');
	return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

/** An operation as the documentation names it. */
const titleOf = ({ resource, operation }: Operation) =>
	`${resource === 'session' ? 'Browser Session' : words(resource)}: ${operation === 'getAll' ? 'Get Many' : words(operation)}`;

function beforeOf(node: WorkflowNode, call: ServiceCall | Refusal): string {
	const { operation } = node.parameters;
	if (isOfficial(node)) return `Firecrawl: ${textOf(operation) || 'first operation'}`;
	return isRefusal(call) ? 'HTTP Request' : `HTTP Request: ${call.endpoint} of ${call.version}`;
}

/** Why a start does not wait for its job by itself, before the reason. */
const notAlone = 'It is not replaced together with its loop';

/** What a node asks for, as far as that can be read. */
const askedOf = (node: WorkflowNode): string =>
	isOfficial(node) ? officialEndpoint(node) : textOf(node.parameters.url);

function convertNode(
	workflow: Workflow,
	node: WorkflowNode,
	call: ServiceCall | Refusal,
	callOf: CallOf,
): Step {
	const { name } = node;
	const before = beforeOf(node, call);
	const ending = endingOf(isRefusal(call) ? askedOf(node) : call.endpoint);
	const kept = (why: string[]): Step => {
		const reasons = [...why, ...(ending === undefined ? [] : stops(ending))];
		return {
			workflow,
			row: { node: name, before, after: 'stays as it is', state: 'kept', reasons, notes: [] },
		};
	};
	if (isRefusal(call)) return kept([call.reason]);
	const loop = loopBehind(workflow, name, call, callOf);
	const looped = typeof loop === 'object' ? convertLoop(workflow, node, call, loop) : loop;
	if (typeof looped === 'object') return looped;
	const [cheapest] = replacementsOf(call);
	const isTool = node.type.endsWith('Tool');
	if (cheapest && !isTool) return kept(looped ? [`${notAlone}: ${looped}.`] : []);
	const converted = operationFor(cheapest ?? call, cheapest !== undefined);
	if (isRefusal(converted)) return kept([converted.reason]);
	const readOn = outputFor(workflow, name, call, converted.operation);
	if ('unclear' in readOn) return kept(readOn.unclear);
	const { rewriting, output, split } = readOn;
	return replaced(rewriting.workflow, node, converted, output, before, [
		...rewritingNotes(rewriting.rewritten),
		...(split ? [`It returns an item for each entry, so "${split}" fell away.`] : []),
		...(looped ? [`It does not wait for its job by itself: ${looped}.`] : []),
	]);
}

const rewritingNotes = (rewritten: readonly string[]) =>
	rewritten.length > 0 ? [`Expressions were rewritten in: ${rewritten.join(', ')}.`] : [];

/** The workflow with the node of this pack in the place of another, which returns that output. */
function replaced(
	workflow: Workflow,
	node: WorkflowNode,
	{ operation, parameters, lost, notes }: Converted,
	output: Output,
	before: string,
	moreNotes: string[],
): Step {
	// n8n would start a failed job again, which is charged again.
	const isRetried = operation.operation === 'run' && node.retryOnFail === true;
	const kept = isRetried ? { ...node, retryOnFail: false } : node;
	const newNode = webDataNode(kept, parameters, output);
	return {
		workflow: {
			...workflow,
			nodes: workflow.nodes.map((each) => (each.name === node.name ? newNode : each)),
		},
		row: {
			node: node.name,
			before,
			after: titleOf(operation),
			state: lost.length === 0 ? 'whole' : 'part',
			reasons: lost,
			notes: [
				...notes,
				...moreNotes,
				...(isRetried ? ['Retry On Fail is off now: it would start a failed job again.'] : []),
			],
		},
	};
}

/** What a node keeps as a tool of an agent. */
const ofTools = ['toolDescription', 'descriptionType'];

/** The node of this pack in the place of another, with its name, position, notes and settings. */
function webDataNode(node: WorkflowNode, parameters: JsonObject, output: Output): WorkflowNode {
	const { credentials: _credentials, ...kept } = node;
	const isTool = node.type.endsWith('Tool');
	const own = Object.entries(node.parameters).filter(
		([field]) => isTool && ofTools.includes(field),
	);
	return {
		...kept,
		type: `n8n-nodes-web-data.${isTool ? 'webDataTool' : 'webData'}`,
		typeVersion: 1,
		parameters: {
			...parameters,
			...(output === 'raw' && { options: { ...objectOf(parameters.options), output } }),
			...Object.fromEntries(own),
		},
	};
}

const startedElsewhere =
	'What it asks for is started in another workflow: if that becomes Agent: Start, this has to become Agent: Get.';
const askedElsewhere =
	'Nothing here asks for its state: where another workflow does, that has to become Agent: Get.';

/** What became of the nodes of a kind that the service ends, or the names of those that stay, and why. */
interface Apart {
	workflow: Workflow;
	rows: Row[];
	names: string[];
	unclear: string[];
}

/** How later nodes read the items of a job that its start now waits for. */
function loopShapes(
	call: ServiceCall,
	status: ServiceCall,
	{ resource, operation }: Operation,
): { ofStart: Shape; ofStatus: Shape; output: Output } {
	if (call.endpoint !== 'POST /extract' || resource === 'agent') {
		return { ofStart: startShape(call), ofStatus: responseShape(status), output: 'raw' };
	}
	return operation === 'scrape'
		? { ofStart: unreadable, ofStatus: extractionShape(status), output: 'raw' }
		: { ofStart: unreadable, ofStatus: unreadable, output: 'results' };
}

/** A start and its polling loop as one node, the cheapest that later nodes can read, or why they stay several. */
function convertLoop(
	workflow: Workflow,
	node: WorkflowNode,
	call: ServiceCall,
	loop: Loop,
): Step | string {
	const [first = call, ...others] = replacementsOf(call);
	return others.reduce(
		(found, other) =>
			typeof found === 'string' ? loopAs(other, workflow, node, call, loop) : found,
		loopAs(first, workflow, node, call, loop),
	);
}

/** A start and its polling loop as one node that makes another call. */
function loopAs(
	made: ServiceCall,
	workflow: Workflow,
	node: WorkflowNode,
	call: ServiceCall,
	loop: Loop,
): Step | string {
	const converted = operationFor(made, true);
	if (isRefusal(converted)) return converted.reason;
	const gone = [...loop.statuses, ...loop.others];
	const { ofStart, ofStatus, output } = loopShapes(call, loop.status, converted.operation);
	const shapes: Array<[name: string, shape: Shape]> = [
		[node.name, ofStart],
		...gone.map((name): [string, Shape] => [name, ofStatus]),
	];
	const isLast = loop.exit.length === 0;
	if (isLast && !ofStatus.isSame && hasCaller(workflow)) return callerGets.replace(/\.$/, '');
	let current = withoutLoop(workflow, loop);
	const rewritten = new Set<string>();
	for (const [name, shape] of shapes) {
		const rewriting = rewriteReads(current, name, shape, node.name);
		if (rewriting.unclear.length > 0) return rewriting.unclear.join(' ').replace(/\.$/, '');
		for (const reader of rewriting.rewritten) rewritten.add(reader);
		current = rewriting.workflow;
	}
	const before = `${beforeOf(node, call)}, with a polling loop of ${gone.length} nodes`;
	// It was about the start; a failed job is now an error, too, and must not pass for a result.
	const isCaught = call.continues === true || node.onError === 'continueErrorOutput';
	const kept = isCaught ? { ...node, onError: 'stopWorkflow', continueOnFail: false } : node;
	return replaced(hangOn(current, loop), kept, converted, output, before, [
		`It waits by itself, so these fell away: ${gone.join(', ')}.`,
		...(isCaught ? ['On Error is Stop Workflow now: a failed job is an error, too.'] : []),
		...rewritingNotes([...rewritten]),
	]);
}

/** Whether a call starts what the service ends, or asks for its state by an ID that it reads. */
function roleOf(call: ServiceCall | Refusal): 'start' | 'state' | undefined {
	if (isRefusal(call)) return undefined;
	if (replacementsOf(call).length > 0) return 'start';
	return stateOf(call) && isReadId(call.id) ? 'state' : undefined;
}

/** The workflow with the starts and states of what the service ends as *Agent: Start* and *Agent: Get*, or why all of them stay. */
function convertApart(workflow: Workflow, kind: string, callOf: CallOf): Apart {
	const concerned = workflow.nodes.flatMap((node) => {
		const call = callOf(node);
		const asked = !call || isRefusal(call) ? askedOf(node) : call.endpoint;
		return call && endingOf(asked) === kind ? [{ name: node.name, role: roleOf(call) }] : [];
	});
	const [starts, states] = ['start', 'state'].map((role) =>
		concerned.filter((each) => each.role === role).map(({ name }) => name),
	);
	const rows: Row[] = [];
	const stay = (...unclear: string[]): Apart => ({
		...{ workflow, rows: [], unclear },
		names: concerned.map(({ name }) => name),
	});
	if (starts.length === 0) return stay(...(states.length > 0 ? [startedElsewhere] : []));
	if (concerned.some(({ role }) => !role)) return stay();
	let current = workflow;
	for (const name of [...starts, ...states]) {
		const node = current.nodes.find((each) => each.name === name);
		const call = node && callOf(node);
		if (!call || isRefusal(call)) return stay();
		const [replacement = stateOf(call)] = replacementsOf(call).slice(-1);
		const converted = replacement && operationFor(replacement);
		if (!converted || isRefusal(converted)) return stay();
		const readOn = outputFor(current, name, call, converted.operation);
		if ('unclear' in readOn) return stay(...readOn.unclear);
		const lost = states.length > 0 ? [] : [askedElsewhere];
		const whole = { ...converted, lost: [...converted.lost, ...lost] };
		const { rewriting, output } = readOn;
		const notes = rewritingNotes(rewriting.rewritten);
		const step = replaced(rewriting.workflow, node, whole, output, beforeOf(node, call), notes);
		current = step.workflow;
		rows.push(step.row);
	}
	return { workflow: current, rows, names: [], unclear: [] };
}

/** A workflow in which later nodes read on by an output. */
interface ReadOn {
	output: Output;
	rewriting: Rewriting;
	/** The Split Out that fell away. */
	split?: string;
}

/** The output by which later nodes read on: the response as it was where they can, or why they cannot. */
function outputFor(
	workflow: Workflow,
	name: string,
	call: ServiceCall,
	operation: Operation,
): ReadOn | { unclear: string[] } {
	const split = withoutSplit(workflow, name, call, operation);
	if (split) return split;
	const hasResponse = operation.hasResponse === true;
	const isLast = successorsOf(workflow, name).length === 0;
	if (operation.list && !hasResponse && !isLast) {
		return {
			unclear: [
				'It would return an item for each entry of its list, and what follows would run for each, or not at all.',
			],
		};
	}
	const candidates: Array<{ output: Output; shape: Shape }> = [
		...(isLast ? [{ output: 'results' as const, shape: unreadable }] : []),
		hasResponse
			? { output: 'raw', shape: responseShape(call) }
			: { output: 'results', shape: fieldShape(call, operation) },
	];
	const rewritings = candidates.map(({ output, shape }) => ({
		output,
		rewriting: withFormerEntries(rewriteReads(workflow, name, shape), name, call),
	}));
	const clear = rewritings.find(({ rewriting }) => rewriting.unclear.length === 0);
	return clear ?? { unclear: rewritings.at(-1)?.rewriting.unclear ?? [] };
}

/** A Split Out, of which nothing but the entries of its list comes out. */
const isPlainSplit = (node: WorkflowNode) =>
	shortType(node) === 'splitOut' &&
	(node.parameters.include ?? 'noOtherFields') === 'noOtherFields' &&
	Object.keys(objectOf(node.parameters.options)).length === 0;

/** The entries of a map behind a Split Out, which were texts under the name of their list in the time of v1. */
function withFormerEntries(found: Rewriting, name: string, call: ServiceCall): Rewriting {
	if (call.endpoint !== 'POST /map' || call.version !== 'v2') return found;
	const next = successorsOf(found.workflow, name);
	const splits = found.workflow.nodes.filter(
		(node) =>
			next.includes(node.name) && isPlainSplit(node) && node.parameters.fieldToSplitOut === 'links',
	);
	return splits.reduce(({ workflow, rewritten, unclear }, split) => {
		const more = rewriteReads(workflow, split.name, { ...entryShape(call), isSame: true });
		return {
			workflow: more.workflow,
			rewritten: [...new Set([...rewritten, ...more.rewritten])],
			unclear: [...unclear, ...more.unclear],
		};
	}, found);
}

/** A node as one that returns an item for each entry, without the Split Out behind it; undefined if there is none, or the list is read elsewhere. */
function withoutSplit(
	workflow: Workflow,
	name: string,
	call: ServiceCall,
	{ list, hasResponse }: Operation,
): ReadOn | undefined {
	const [next = '', ...others] = successorsOf(workflow, name);
	const node = workflow.nodes.find((each) => each.name === next);
	const isAlone = others.length === 0 && predecessorsOf(workflow, next).length === 1;
	if (!list || !isAlone || !node || !isPlainSplit(node)) return undefined;
	const steps = stepsOf(textOf(node.parameters.fieldToSplitOut));
	const place = hasResponse === true ? responseShape(call).placeOf(steps) : { steps };
	const isList = place && 'steps' in place && place.steps.join('.') === list.join('.');
	// With other sources there are other lists, which come out too, and pages have other items.
	const { sources = ['web'], scrapeOptions } = call.body;
	const isWeb = JSON.stringify(sources) === '["web"]' && scrapeOptions === undefined;
	if (!isList || !isWeb) return undefined;

	const { [name]: _links, [next]: links = {}, ...connections } = workflow.connections;
	const nodes = workflow.nodes.filter((each) => each !== node);
	const alone = { ...workflow, nodes, connections: { ...connections, [next]: links } };
	const rewriting = rewriteReads(alone, next, entryShape(call), name);
	const isRead = rewriteReads(alone, name, unreadable).unclear.length > 0;
	if (isRead || rewriting.unclear.length > 0) return undefined;
	const joined = { ...rewriting.workflow, connections: { ...connections, [name]: links } };
	return { output: 'results', rewriting: { ...rewriting, workflow: joined }, split: next };
}

/** The workflow with a sticky note beside each node that stays, or that lost something. */
function withNotes(workflow: Workflow, rows: Row[]): Workflow {
	const taken = new Set(workflow.nodes.map(({ name }) => name));
	const notes = rows
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
	return { ...workflow, nodes: [...workflow.nodes, ...notes] };
}
