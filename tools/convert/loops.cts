import { accessesIn } from './accesses.cjs';
import { chunksOf, isExpression, parseExpression } from './expressions.cjs';
import { outputAtEnd } from './jobEnd.cjs';
import type { Json } from './json.cjs';
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
const allowed = ['wait', 'if', 'switch', 'noOp', 'stopAndError'];

/** Whether an ID is read from an item: that of the job that was started. */
export function isReadId(id: Json | undefined): boolean {
	if (!isExpression(id)) return false;
	return chunksOf(id).some(({ isCode, text }) => {
		const parsed = isCode ? parseExpression(text) : undefined;
		const { known } = parsed ? accessesIn(parsed, false) : { known: [] };
		return known.some(({ steps }) => ['id', 'jobId'].includes(String(steps.at(-1))));
	});
}

/** Whether an IF or a Switch decides by the state of a job: as it is understood, or else an IF by no failure. */
function decidesByState(node: WorkflowNode): boolean {
	const text = JSON.stringify(node.parameters);
	const isState = /status|completed|scraping|processing|success/i.test(text);
	const isClear = isState && shortType(node) === 'if' && !/fail|cancel|error/i.test(text);
	return isClear || outputAtEnd(node) !== undefined;
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

const startsJob = /^POST \/(crawl|batch\/scrape|agent|extract|deep-research)$/;

/** The polling loop behind a start, or why it cannot be replaced; undefined if there is none. */
export function loopBehind(
	workflow: Workflow,
	start: string,
	{ endpoint }: ServiceCall,
	callOf: (node: WorkflowNode) => ServiceCall | Refusal | undefined,
): Loop | string | undefined {
	if (!startsJob.test(endpoint)) return undefined;
	const nodes = new Map(workflow.nodes.map((node) => [node.name, node]));
	const statusOf = (name: string): ServiceCall | undefined => {
		const node = nodes.get(name);
		const call = node && callOf(node);
		if (!call || isRefusal(call) || !isReadId(call.id)) return undefined;
		return call.endpoint === `${endpoint.replace('POST', 'GET')}/{id}` ? call : undefined;
	};
	if (!workflow.nodes.some(({ name }) => statusOf(name))) return undefined;
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
		return ['if', 'switch'].includes(type) && !decidesByState(node)
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

/** The workflow without a loop, what follows it behind the node that asked for the status, until `hangOn` connects it to the start. */
export function withoutLoop(workflow: Workflow, { start, statuses, others, exit }: Loop): Workflow {
	const gone = [...statuses, ...others];
	const kept = Object.entries(workflow.connections).filter(
		([name]) => name !== start && !gone.includes(name),
	);
	return {
		...workflow,
		nodes: workflow.nodes.filter(({ name }) => !gone.includes(name)),
		connections: {
			...Object.fromEntries(kept),
			// What the start gave is nobody's result.
			[start]: { main: [[{ node: statuses[0], type: 'main', index: 0 }]] },
			[statuses[0]]: { main: [exit] },
		},
	};
}

/** Connects what follows a loop to its start. */
export function hangOn(workflow: Workflow, { start, statuses, exit }: Loop): Workflow {
	const { [start]: _start, [statuses[0]]: _loop, ...connections } = workflow.connections;
	return {
		...workflow,
		connections: exit.length === 0 ? connections : { ...connections, [start]: { main: [exit] } },
	};
}
