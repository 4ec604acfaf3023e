import { accessesIn, pathCode, type Access, type Accesses, type Step } from './accesses.cjs';
import {
	chunksOf,
	expressionOf,
	isExpression,
	parseBody,
	parseExpression,
} from './expressions.cjs';
import { mapTexts, objectOf, textOf, type Json, type JsonObject } from './json.cjs';
import type { NewPlace, Shape } from './shapes.cjs';
import {
	predecessorsOf,
	shortType,
	successorsOf,
	type Workflow,
	type WorkflowNode,
} from './workflow.cjs';

/** Nodes that pass on the items that come in. */
const passing = [
	'if',
	'switch',
	'filter',
	'noOp',
	'wait',
	'limit',
	'splitInBatches',
	'merge',
	'sort',
];

/** Ways of merging that compare no fields. */
const mergesByOrder: Json[] = ['append', 'chooseBranch', 'passThrough', 'wait'];

/** Nodes that read items by expressions only. */
const reading = [
	...[
		'httpRequest',
		'gmail',
		'slack',
		'telegram',
		'discord',
		'emailSend',
		'notion',
		'stopAndError',
	],
	...['openAi', 'chainLlm', 'agent', 'informationExtractor', 'textClassifier'],
	...[
		'set',
		'respondToWebhook',
		'googleSheets',
		'airtable',
		'googleDocs',
		'form',
		'executeWorkflow',
	],
	...[
		'webData',
		'firecrawl',
		'stickyNote',
		'splitOut',
		'code',
		'function',
		'functionItem',
		'httpRequestTool',
	],
];

/** Whether a node takes its items as a whole besides. */
function takesWhole(node: WorkflowNode): boolean {
	const { parameters, typeVersion = 1 } = node;
	const type = shortType(node);
	if (JSON.stringify(parameters).includes('"autoMapInputData"')) return true;
	if (type === 'respondToWebhook') {
		const how = parameters.respondWith ?? 'firstIncomingItem';
		return how === 'firstIncomingItem' || how === 'allIncomingItems';
	}
	if (type === 'code') return textOf(parameters.language).startsWith('python');
	if (type === 'sort') return (parameters.type ?? 'simple') === 'simple';
	if (type === 'merge') return !mergesByOrder.includes(parameters.mode ?? 'append');
	// Their former versions take all fields.
	if (type === 'googleSheets' && typeVersion < 3) return true;
	if (type === 'airtable' && typeVersion < 2) return true;
	if (type === 'executeWorkflow') {
		// Only named inputs leave the rest behind.
		return Object.keys(objectOf(objectOf(parameters.workflowInputs).value)).length === 0;
	}
	if (type === 'splitOut') return (parameters.include ?? 'noOtherFields') !== 'noOtherFields';
	if (type !== 'set') return ![...passing, ...reading].includes(type);
	if (typeVersion < 3) return parameters.keepOnlySet !== true;
	return typeVersion < 3.3
		? (parameters.include ?? 'all') !== 'none'
		: parameters.includeOtherFields === true;
}

/** The nodes that get the items of a node, and whether they get those of others too. */
function receiversOf(workflow: Workflow, name: string): Map<string, boolean> {
	const nodes = new Map(workflow.nodes.map((node) => [node.name, node]));
	const found = new Set<string>();
	const queue = successorsOf(workflow, name);
	for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
		if (found.has(next)) continue;
		found.add(next);
		const node = nodes.get(next);
		if (node && passing.includes(shortType(node))) queue.push(...successorsOf(workflow, next));
	}
	const isSource = (source: string) => source === name || found.has(source);
	const mixed = new Set(
		[...found].filter((receiver) => !predecessorsOf(workflow, receiver).every(isSource)),
	);
	// What gets mixed items passes them on.
	const spread = [...mixed];
	for (let next = spread.pop(); next !== undefined; next = spread.pop()) {
		const node = nodes.get(next);
		if (!node || !passing.includes(shortType(node))) continue;
		for (const receiver of successorsOf(workflow, next)) {
			if (found.has(receiver) && !mixed.has(receiver)) {
				mixed.add(receiver);
				spread.push(receiver);
			}
		}
	}
	return new Map([...found].map((receiver) => [receiver, mixed.has(receiver)]));
}

/** Whether whoever called the workflow gets the items of its last node. */
const hasCaller = ({ nodes }: Workflow): boolean =>
	nodes.some((node) => {
		const type = shortType(node);
		if (type === 'executeWorkflowTrigger') return true;
		const { responseMode, options } = node.parameters;
		const mode = responseMode ?? objectOf(options).responseMode;
		return type === 'chatTrigger' ? (mode ?? 'lastNode') === 'lastNode' : mode === 'lastNode';
	});

/** The nodes that are parts of others, such as the memory of an agent: they read the items of those. */
function partsOf(workflow: Workflow, receivers: Map<string, boolean>): Map<string, boolean> {
	const found = new Map<string, boolean>();
	const queue = [...receivers];
	for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
		const [whole, isMixed] = next;
		for (const [part, { main: _main, ...others }] of Object.entries(workflow.connections)) {
			const links = Object.values(others).flat(2);
			if (found.has(part) || !links.some(({ node }) => node === whole)) continue;
			found.set(part, isMixed);
			queue.push([part, isMixed]);
		}
	}
	return found;
}

/** What was found in code, since the same is looked at for each node. */
const readings = new Map<string, Accesses | undefined>();
const mostReadings = 5_000;

function readingOf(code: string, isScript: boolean): Accesses | undefined {
	const key = `${isScript} ${code}`;
	if (!readings.has(key)) {
		if (readings.size >= mostReadings) readings.clear();
		const parsed = isScript ? parseBody(code) : parseExpression(code);
		readings.set(key, parsed && accessesIn(parsed, isScript));
	}
	return readings.get(key);
}

/** What later nodes read of a node, rewritten to a new shape of its items. */
export interface Rewriting {
	workflow: Workflow;
	/** The nodes whose reading was rewritten. */
	rewritten: string[];
	/** Why something could not be. */
	unclear: string[];
}

const scripts = ['jsCode', 'functionCode'];

/** Whether a text of a parameter is a script of its node. */
const isScriptAt = (node: WorkflowNode, place: string[]) =>
	['code', 'function', 'functionItem'].includes(shortType(node)) &&
	scripts.includes(place.join('.'));

/** An access at its new place. */
function rewrittenAccess(code: string, access: Access, place: NewPlace, newName: string): string {
	if ('code' in place) return place.code;
	const { start, base, name, isMember, source, isOptional } = access;
	const named = isMember ? `[${JSON.stringify(newName)}]` : JSON.stringify(newName);
	const root =
		name && source !== newName
			? code.slice(start, name[0]) + named + code.slice(name[1], base)
			: code.slice(start, base);
	return root + pathCode(place.steps, isOptional) + (place.method ?? '');
}

/** Rewrites what all nodes read of the node `name`, whose items get another shape, and the name `newName`. */
export function rewriteReads(
	workflow: Workflow,
	name: string,
	shape: Shape,
	newName = name,
): Rewriting {
	const receivers = receiversOf(workflow, name);
	const readers = new Map([...partsOf(workflow, receivers), ...receivers]);
	const rewritten = new Set<string>();
	const unclear = new Set<string>();
	const isFree = shape.isSame && newName === name;

	const rewriteCode = (node: WorkflowNode, code: string, isScript: boolean): string => {
		const receives = readers.has(node.name);
		if (!receives && !code.includes('$')) return code;
		const reading = readingOf(code, isScript);
		if (!reading) {
			if (receives || code.includes(name)) {
				unclear.add(`"${node.name}" has code that cannot be read.`);
			}
			return code;
		}
		const { known, unclear: others, named, isOpen } = reading;
		if (isOpen) unclear.add(`"${node.name}" reads a node whose name it computes.`);
		if (newName !== name && named.includes(name)) {
			unclear.add(`"${node.name}" asks whether "${name}" ran, or for its settings.`);
		}
		const concerns = (source: string | undefined) =>
			source === undefined ? receives : source === name;
		if (others.some(concerns)) unclear.add(`"${node.name}" reads all of its items.`);
		const concerned = known
			.filter(({ source }) => concerns(source))
			.sort((one, another) => another.start - one.start);
		let changed = code;
		for (const access of concerned) {
			const place = shape.placeOf(access.steps);
			const isMixed = access.source === undefined && readers.get(node.name) === true;
			// An item as a whole stays one only if it is the same.
			if (!place || isMixed) {
				const what = access.steps.length === 0 ? 'the whole item' : access.steps.join('.');
				unclear.add(
					`"${node.name}" reads ${what}${isMixed ? ', also of other nodes' : ', which the new item has not'}.`,
				);
				continue;
			}
			const replacement = rewrittenAccess(code, access, place, newName);
			if (replacement === code.slice(access.start, access.end)) continue;
			changed = changed.slice(0, access.start) + replacement + changed.slice(access.end);
			rewritten.add(node.name);
		}
		return changed;
	};

	const rewriteText = (node: WorkflowNode, text: string, place: string[]): string => {
		if (isScriptAt(node, place)) return rewriteCode(node, text, true);
		if (place.join('.') === 'pythonCode' && text.includes(name)) {
			unclear.add(`"${node.name}" has a script in Python.`);
		}
		if (!isExpression(text)) return text;
		const chunks = chunksOf(text);
		const changed = chunks.map((chunk) =>
			chunk.isCode ? { isCode: true, text: rewriteCode(node, chunk.text, false) } : chunk,
		);
		return changed.some(({ text: code }, index) => code !== chunks[index].text)
			? expressionOf(changed)
			: text;
	};

	const rewriteNode = (node: WorkflowNode): WorkflowNode => {
		if (receivers.has(node.name) && takesWhole(node)) {
			unclear.add(`"${node.name}" gets the whole item.`);
		}
		const parameters = mapTexts(node.parameters, (text, place) => rewriteText(node, text, place));
		const split = receivers.has(node.name) && shortType(node) === 'splitOut';
		return {
			...node,
			parameters: {
				...(parameters as JsonObject),
				...(split && rewriteSplit(node, shape, unclear, rewritten)),
			},
		};
	};

	if (isFree) return { workflow, rewritten: [], unclear: [] };
	const passed = workflow.nodes.filter(
		(node) => node.name === name || (receivers.has(node.name) && passing.includes(shortType(node))),
	);
	const isLast = passed.some((node) => successorsOf(workflow, node.name).length === 0);
	if (!shape.isSame && isLast && hasCaller(workflow)) {
		unclear.add('Its items are what the caller of the workflow gets.');
	}
	const nodes = workflow.nodes.map(rewriteNode);
	return { workflow: { ...workflow, nodes }, rewritten: [...rewritten], unclear: [...unclear] };
}

/** The steps of a field that a parameter names. */
export const stepsOf = (field: string): Step[] =>
	field.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));

/** The list that a Split Out names, at its new place. */
function rewriteSplit(
	node: WorkflowNode,
	shape: Shape,
	unclear: Set<string>,
	rewritten: Set<string>,
): JsonObject {
	const field = textOf(node.parameters.fieldToSplitOut);
	if (isExpression(field)) return {};
	const place = shape.placeOf(stepsOf(field));
	if (!place || !('steps' in place) || place.method !== undefined) {
		unclear.add(`"${node.name}" splits ${field}, which the new item has not.`);
		return {};
	}
	const fieldToSplitOut = place.steps.join('.');
	if (fieldToSplitOut !== field) rewritten.add(node.name);
	return { fieldToSplitOut };
}
