import { accessesIn } from './accesses.cjs';
import { chunksOf, isExpression, parseExpression } from './expressions.cjs';
import { listOf, objectOf, textOf, type Json, type JsonObject } from './json.cjs';
import { isRefusal, type Refusal, type ServiceCall } from './serviceCall.cjs';
import {
	predecessorsOf,
	reach,
	shortType,
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
	/** What the first of those asks. */
	status: ServiceCall;
	/** What follows once the job has ended. */
	exit: Link[];
}

/** What a loop may consist of, besides the nodes that ask. */
const allowed = ['wait', 'if', 'noOp', 'stopAndError'];

/** Whether an ID is read from an item: that of the job that was started. */
function isReadId(id: Json | undefined): boolean {
	if (!isExpression(id)) return false;
	return chunksOf(id).some(({ isCode, text }) => {
		const parsed = isCode ? parseExpression(text) : undefined;
		const { known } = parsed ? accessesIn(parsed, false) : { known: [] };
		return known.some(({ steps }) => ['id', 'jobId'].includes(String(steps.at(-1))));
	});
}

/** Whether a condition holds for a job that is completed; undefined if it is not about its status, or not understood. */
function holdsAtEnd({ leftValue, rightValue: right, operator }: JsonObject) {
	const left = textOf(leftValue);
	const chunks = isExpression(left) ? chunksOf(left) : [];
	const parsed =
		chunks.length === 1 && chunks[0].isCode ? parseExpression(chunks[0].text) : undefined;
	const [access] = parsed ? accessesIn(parsed, false).known : [];
	const isStatus =
		parsed !== undefined &&
		access?.steps.at(-1) === 'status' &&
		access.end - access.start === parsed.tree.range[1] - parsed.tree.range[0];
	if (!isStatus || typeof right !== 'string' || isExpression(right)) return undefined;
	switch (objectOf(operator).operation) {
		case 'equals':
			return right === 'completed';
		case 'notEquals':
			return right !== 'completed';
		default:
			return undefined;
	}
}

/** Whether the conditions of an IF hold for a job that is completed; undefined if that is not understood. */
function allHoldAtEnd({ conditions }: JsonObject): boolean | undefined {
	const { combinator, conditions: list } = objectOf(conditions);
	const holds = listOf(list).map((condition) => holdsAtEnd(objectOf(condition)));
	const decides = combinator === 'or';
	if (holds.includes(decides)) return decides;
	return holds.length === 0 || holds.includes(undefined) ? undefined : !decides;
}

/** The only output by which an IF passes on a job that is completed; undefined for other nodes, and if it is not understood. */
function outputAtEnd(node: WorkflowNode): number | undefined {
	const holds = shortType(node) === 'if' ? allHoldAtEnd(node.parameters) : undefined;
	return holds === undefined ? undefined : Number(!holds);
}

/** Whether an IF decides by the state of a job: as it is understood, or else by no failure. */
function decidesByState(node: WorkflowNode): boolean {
	const text = JSON.stringify(node.parameters);
	const isState = /status|completed|scraping|processing|success/i.test(text);
	return outputAtEnd(node) !== undefined || (isState && !/fail|cancel|error/i.test(text));
}

/** Whether a completed job leaves its loop by that output. */
function isLeftAtEnd(
	{ nodes, connections }: Workflow,
	statuses: string[],
	exit: { name: string; output: number },
): boolean {
	const outputs = new Map(nodes.map((node) => [node.name, outputAtEnd(node)]));
	const isOpen = (name: string, output: number) => (outputs.get(name) ?? output) === output;
	const passed = reach(statuses, (name) => {
		const links = (connections[name]?.main ?? []).filter((_, output) => isOpen(name, output));
		return links.flat().map(({ node }) => node);
	});
	return passed.has(exit.name) && isOpen(exit.name, exit.output);
}

/** The polling loop behind a start, or why it cannot be replaced; undefined if there is none. */
export function loopBehind(
	workflow: Workflow,
	start: string,
	{ endpoint }: ServiceCall,
	callOf: (node: WorkflowNode) => ServiceCall | Refusal | undefined,
): Loop | string | undefined {
	const nodes = new Map(workflow.nodes.map((node) => [node.name, node]));
	const statusOf = (name: string): ServiceCall | undefined => {
		const node = nodes.get(name);
		const call = node && callOf(node);
		if (!call || isRefusal(call) || !isReadId(call.id)) return undefined;
		return call.endpoint === `${endpoint.replace('POST', 'GET')}/{id}` ? call : undefined;
	};
	const others = (names: string[]) => names.filter((name) => name !== start);
	const after = (name: string) => others(successorsOf(workflow, name));
	const behind = reach(after(start), after);
	const statuses = [...behind].filter((name) => statusOf(name));
	const status = statusOf(statuses[0] ?? '');
	if (!status) return undefined;
	const before = reach(statuses, (name) => others(predecessorsOf(workflow, name)));
	const between = [...before].filter((name) => behind.has(name));
	const isEnd = (name: string) => {
		const node = nodes.get(name);
		return node !== undefined && shortType(node) === 'stopAndError';
	};
	const inside = new Set([...between, ...between.flatMap(after).filter(isEnd)]);
	const isOwn = (name: string) => name === start || inside.has(name);
	const obstacleAt = (node: WorkflowNode): string | undefined => {
		const { name, parameters, disabled } = node;
		const type = shortType(node);
		if (!statuses.includes(name) && !allowed.includes(type)) return `its loop also runs "${name}"`;
		if (disabled === true) return `"${name}" of its loop is off`;
		if (type === 'wait' && (parameters.resume ?? 'timeInterval') !== 'timeInterval') {
			return `"${name}" of its loop waits for something else than time`;
		}
		if (!predecessorsOf(workflow, name).every(isOwn)) {
			return `"${name}" of its loop is also reached from elsewhere`;
		}
		return type === 'if' && !decidesByState(node)
			? `"${name}" does not decide by the status of the job`
			: undefined;
	};
	const [obstacle] = workflow.nodes.flatMap((node) =>
		inside.has(node.name) ? (obstacleAt(node) ?? []) : [],
	);
	if (obstacle !== undefined) return obstacle;
	const exits = [...inside].flatMap((name) =>
		(workflow.connections[name]?.main ?? []).flatMap((all, output) => {
			const links = all.filter(({ node }) => !inside.has(node));
			return links.length > 0 ? [{ name, output, links }] : [];
		}),
	);
	if (!successorsOf(workflow, start).every((name) => inside.has(name))) {
		return 'other nodes follow its start directly';
	}
	const [exit] = exits;
	if (exits.length > 1) return 'its loop has more than one way out';
	if (exit && !isLeftAtEnd(workflow, statuses, exit)) {
		return 'its way out is not that of a completed job';
	}
	return {
		start,
		status,
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
