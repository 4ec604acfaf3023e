import { accessesIn } from './accesses.cjs';
import { chunksOf, isExpression, parseExpression } from './expressions.cjs';
import { listOf, objectOf, textOf, type Json, type JsonObject } from './json.cjs';
import type { ServiceCall } from './serviceCall.cjs';
import {
	predecessorsOf,
	successorsOf,
	type Link,
	type Workflow,
	type WorkflowNode,
} from './workflow.cjs';

/** Nodes that start a job, wait, and ask for its status until it has ended. */
export interface Loop {
	start: string;
	/** The nodes that fall away, those that ask for the status first. */
	statuses: string[];
	others: string[];
	/** What follows once the job has ended. */
	exit: Link[];
}

/** What a loop may consist of, besides the nodes that ask. */
const allowed = ['wait', 'if', 'switch', 'noOp', 'stopAndError'];
const short = (type: string) => type.slice(type.lastIndexOf('.') + 1);

/** The nodes that `next` leads to from the first ones, without those beyond a barrier. */
function reach(
	first: string[],
	next: (name: string) => string[],
	isBarrier: (name: string) => boolean,
) {
	const found = new Set<string>();
	const queue = [...first];
	for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
		if (found.has(name) || isBarrier(name)) continue;
		found.add(name);
		queue.push(...next(name));
	}
	return found;
}

/** Whether an ID is read from an item: that of the job that was started. */
function isReadId(id: Json | undefined): boolean {
	if (!isExpression(id)) return false;
	return chunksOf(id).some(({ isCode, text }) => {
		const parsed = isCode ? parseExpression(text) : undefined;
		const { known } = parsed ? accessesIn(parsed, false) : { known: [] };
		return known.some(({ steps }) => ['id', 'jobId'].includes(String(steps.at(-1))));
	});
}

/** Whether a node decides by the state of a job. */
const decidesByState = ({ parameters }: WorkflowNode) =>
	/status|completed|scraping|processing|success/i.test(JSON.stringify(parameters));

/** Whether a condition holds for a job that is completed; undefined if it is not about its status, or not understood. */
function holdsAtEnd({ leftValue, rightValue, value1, value2, operator, operation }: JsonObject) {
	const left = textOf(leftValue ?? value1);
	const chunks = isExpression(left) ? chunksOf(left) : [];
	const parsed =
		chunks.length === 1 && chunks[0].isCode ? parseExpression(chunks[0].text) : undefined;
	const [access] = parsed ? accessesIn(parsed, false).known : [];
	const isStatus =
		parsed !== undefined &&
		access?.steps.at(-1) === 'status' &&
		access.end - access.start === parsed.tree.range[1] - parsed.tree.range[0];
	const right = rightValue ?? value2;
	if (!isStatus || typeof right !== 'string' || isExpression(right)) return undefined;
	switch (objectOf(operator).operation ?? operation ?? 'equal') {
		case 'equals':
		case 'equal':
			return right === 'completed';
		case 'notEquals':
		case 'notEqual':
			return right !== 'completed';
		case 'contains':
			return 'completed'.includes(right);
		case 'notContains':
			return !'completed'.includes(right);
		default:
			return undefined;
	}
}

/** Whether the conditions of an IF hold for a job that is completed. */
function allHoldAtEnd({ conditions, combinator }: JsonObject, combineOperation?: Json) {
	const list = Array.isArray(conditions)
		? conditions
		: Object.values(objectOf(conditions)).flatMap(listOf);
	const holds = list.map((condition) => holdsAtEnd(objectOf(condition)));
	const decides = combinator === 'or' || combineOperation === 'any';
	if (holds.includes(decides)) return decides;
	return holds.length === 0 || holds.includes(undefined) ? undefined : !decides;
}

/** The outputs by which a node may pass on the status of a job that is completed; undefined for all of them. */
function outputsAtEnd(node: WorkflowNode): number[] | undefined {
	const { type, parameters, typeVersion = 1 } = node;
	if (short(type) === 'if') {
		const { conditions, combineOperation } = parameters;
		const group = objectOf(conditions);
		const holds = allHoldAtEnd(
			'combinator' in group ? group : { conditions: group },
			combineOperation,
		);
		return holds === undefined ? undefined : [holds ? 0 : 1];
	}
	const rules = listOf(objectOf(parameters.rules).values);
	if (short(type) !== 'switch' || typeVersion < 3 || rules.length === 0) return undefined;
	const holds = rules.map((rule) => allHoldAtEnd(objectOf(objectOf(rule).conditions)));
	const first = holds.indexOf(true);
	// Behind the rules is the output of what meets none of them.
	return [...holds.keys(), holds.length].filter(
		(index) => holds[index] !== false && (first < 0 || index <= first),
	);
}

/** Whether a completed job leaves its loop there. */
function isLeftAtEnd(
	nodes: Map<string, WorkflowNode>,
	{ connections }: Workflow,
	statuses: string[],
	exit: { name: string; output: number },
): boolean {
	const passed = new Set<string>();
	const queue = [...statuses];
	for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
		const node = nodes.get(name);
		if (!node || passed.has(name)) continue;
		passed.add(name);
		const outputs = outputsAtEnd(node);
		const isOpen = (output: number) => !outputs || outputs.includes(output);
		if (name === exit.name && isOpen(exit.output)) return true;
		const links = (connections[name]?.main ?? []).filter((_, output) => isOpen(output));
		queue.push(...links.flat().map((link) => link.node));
	}
	return false;
}

/**
 * The polling loop behind a start, or why it cannot be replaced; undefined if there is none.
 * `callOf` gives the call of a node that asks the service.
 */
export function loopBehind(
	workflow: Workflow,
	start: string,
	{ endpoint }: ServiceCall,
	callOf: (node: WorkflowNode) => ServiceCall | undefined,
): Loop | string | undefined {
	const nodes = new Map(workflow.nodes.map((node) => [node.name, node]));
	const asks = (name: string) => {
		const node = nodes.get(name);
		const call = node && callOf(node);
		return call?.endpoint === `${endpoint.replace('POST', 'GET')}/{id}` && isReadId(call.id);
	};
	const isStart = (name: string) => name === start;
	const behind = reach(
		successorsOf(workflow, start),
		(name) => successorsOf(workflow, name),
		isStart,
	);
	const statuses = [...behind].filter(asks);
	if (statuses.length === 0) return undefined;
	const before = reach(statuses, (name) => predecessorsOf(workflow, name), isStart);
	const between = [...before].filter((name) => behind.has(name));
	const ends = between
		.flatMap((name) => successorsOf(workflow, name))
		.filter((name) => short(nodes.get(name)?.type ?? '') === 'stopAndError');
	const inside = new Set([...between, ...ends]);

	const foreign = between.find(
		(name) => !statuses.includes(name) && !allowed.includes(short(nodes.get(name)?.type ?? '')),
	);
	if (foreign !== undefined) return `its loop also runs "${foreign}"`;
	const off = [...inside].find((name) => nodes.get(name)?.disabled === true);
	if (off !== undefined) return `"${off}" of its loop is off`;
	const other = between.find((name) => {
		const node = nodes.get(name);
		const { resume = 'timeInterval' } = node?.parameters ?? {};
		return node && short(node.type) === 'wait' && resume !== 'timeInterval';
	});
	if (other !== undefined) return `"${other}" of its loop waits for something else than time`;
	const isOwn = (name: string) => isStart(name) || inside.has(name);
	const entered = [...inside].find((name) => !predecessorsOf(workflow, name).every(isOwn));
	if (entered !== undefined) return `"${entered}" of its loop is also reached from elsewhere`;
	if (!successorsOf(workflow, start).every((name) => inside.has(name))) {
		return 'other nodes follow its start directly';
	}
	const exits = [...inside].flatMap((name) =>
		(workflow.connections[name]?.main ?? [])
			.map((links, output) => ({
				name,
				output,
				links: links.filter(({ node }) => !inside.has(node)),
			}))
			.filter(({ links }) => links.length > 0),
	);
	if (exits.length > 1) return 'its loop has more than one way out';
	const [exit] = exits;
	if (exit && !isLeftAtEnd(nodes, workflow, statuses, exit)) {
		return 'its way out is not that of a completed job';
	}
	const undecided = [...inside].find((name) => {
		const node = nodes.get(name);
		return node && ['if', 'switch'].includes(short(node.type)) && !decidesByState(node);
	});
	if (undecided !== undefined) return `"${undecided}" does not decide by the status of the job`;
	return {
		start,
		statuses,
		others: [...inside].filter((name) => !statuses.includes(name)),
		exit: exit?.links ?? [],
	};
}

/**
 * The workflow with a loop out of it. What follows it hangs on the node that asked for the status,
 * as long as later expressions are rewritten; `hangOn` connects it to the start then.
 */
export function withoutLoop(workflow: Workflow, { start, statuses, others, exit }: Loop): Workflow {
	const gone = [...statuses, ...others];
	const kept = Object.entries(workflow.connections).filter(
		([name]) => name !== start && !gone.includes(name),
	);
	return {
		...workflow,
		nodes: workflow.nodes.filter(({ name }) => !gone.includes(name)),
		connections: { ...Object.fromEntries(kept), [statuses[0]]: { main: [exit] } },
	};
}

/** Connects what follows a loop to its start. */
export function hangOn(workflow: Workflow, { start, statuses, exit }: Loop): Workflow {
	const { [statuses[0]]: _loop, ...connections } = workflow.connections;
	return {
		...workflow,
		connections: exit.length === 0 ? connections : { ...connections, [start]: { main: [exit] } },
	};
}
