import { accessesIn, pathCode, type Access, type Accesses, type Step } from './accesses.cjs';
import {
	chunksOf,
	expressionOf,
	isExpression,
	parseBody,
	parseExpression,
} from './expressions.cjs';
import { at, mapTexts, objectOf, ownOf, textOf, type JsonObject } from './json.cjs';
import { same, type NewPlace, type Shape } from './shapes.cjs';
import {
	predecessorsOf,
	reach,
	shortType,
	successorsOf,
	type Workflow,
	type WorkflowNode,
} from './workflow.cjs';

/** Nodes that pass on the items that come in. */
const passing = [
	...['if', 'switch', 'filter', 'noOp', 'wait', 'limit'],
	...['splitInBatches', 'merge', 'sort'],
];

/** Nodes that read items by expressions only. */
const reading = [
	...['httpRequest', 'httpRequestTool', 'gmail', 'slack', 'telegram', 'discord', 'emailSend'],
	...['notion', 'googleDocs', 'stopAndError', 'form', 'stickyNote', 'function', 'functionItem'],
	...['openAi', 'chainLlm', 'agent', 'informationExtractor', 'textClassifier'],
	...['webData', 'firecrawl'],
];

/** Whether a node takes its items as a whole besides what it reads, by its type. */
const wholes: Record<string, (parameters: JsonObject, version: number) => boolean> = {
	respondToWebhook: ({ respondWith = 'firstIncomingItem' }) =>
		respondWith === 'firstIncomingItem' || respondWith === 'allIncomingItems',
	code: ({ language }) => textOf(language).startsWith('python'),
	sort: ({ type = 'simple' }) => type === 'simple',
	// By order, it compares no fields.
	merge: ({ mode = 'append' }) =>
		!['append', 'chooseBranch', 'passThrough', 'wait'].includes(textOf(mode)),
	// Their former versions take all fields.
	googleSheets: (_, version) => version < 3,
	airtable: (_, version) => version < 2,
	// Only named inputs leave the rest behind.
	executeWorkflow: ({ workflowInputs }) =>
		Object.keys(objectOf(at(workflowInputs, 'value'))).length === 0,
	splitOut: ({ include = 'noOtherFields' }) => include !== 'noOtherFields',
	set: ({ keepOnlySet, include = 'all', includeOtherFields }, version) =>
		version < 3
			? keepOnlySet !== true
			: version < 3.3
				? include !== 'none'
				: includeOtherFields === true,
};

function takesWhole(node: WorkflowNode): boolean {
	const { parameters, typeVersion = 1 } = node;
	if (JSON.stringify(parameters).includes('"autoMapInputData"')) return true;
	const type = shortType(node);
	const takes = ownOf(wholes, type);
	return takes ? takes(parameters, typeVersion) : ![...passing, ...reading].includes(type);
}

/** The nodes that get the items of a node, and those of them that get the items of others, too. */
function receiversOf(workflow: Workflow, name: string) {
	const passes = new Set(
		workflow.nodes.flatMap((node) => (passing.includes(shortType(node)) ? [node.name] : [])),
	);
	const onwards = (from: string) => (passes.has(from) ? successorsOf(workflow, from) : []);
	const all = reach(successorsOf(workflow, name), onwards);
	const isSource = (source: string) => source === name || all.has(source);
	const joined = [...all].filter((each) => !predecessorsOf(workflow, each).every(isSource));
	return { all, mixed: reach(joined, onwards) };
}

/** The nodes with those that are parts of them, such as the memory of an agent: they read the items of those. */
function withParts({ connections }: Workflow, names: Set<string>): Set<string> {
	return reach(names, (whole) =>
		Object.entries(connections).flatMap(([part, { main: _main, ...others }]) => {
			const links = Object.values(others).flat(2);
			return links.some(({ node }) => node === whole) ? [part] : [];
		}),
	);
}

/** Why a last node stays whose items get another shape. */
export const callerGets = 'Its items are what the caller of the workflow gets.';

/** Whether whoever called the workflow gets the items of its last node. */
export const hasCaller = ({ nodes }: Workflow): boolean =>
	nodes.some((node) => {
		const type = shortType(node);
		if (type === 'executeWorkflowTrigger') return true;
		const { responseMode } = node.parameters;
		const mode = responseMode ?? at(node.parameters, 'options', 'responseMode');
		return type === 'chatTrigger' ? (mode ?? 'lastNode') === 'lastNode' : mode === 'lastNode';
	});

/** What was found in code, since the same is looked at for each node. */
const readings = new Map<string, Accesses | undefined>();

function readingOf(code: string, isScript: boolean): Accesses | undefined {
	const key = `${isScript} ${code}`;
	if (!readings.has(key)) {
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
	if (shape === same && newName === name) return { workflow, rewritten: [], unclear: [] };
	const { all: receivers, mixed } = receiversOf(workflow, name);
	const readers = withParts(workflow, receivers);
	const mixedReaders = withParts(workflow, mixed);
	const rewritten = new Set<string>();
	const unclear = new Set<string>();

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
		// Items that come in are the same under any name.
		const isOpenTo = (source: string | undefined) => source !== undefined || !shape.isSame;
		if (others.some((source) => concerns(source) && isOpenTo(source))) {
			unclear.add(`"${node.name}" reads all of its items.`);
		}
		const concerned = known
			.filter(({ source }) => concerns(source))
			.sort((one, another) => another.start - one.start);
		let changed = code;
		for (const access of concerned) {
			const place = shape.placeOf(access.steps);
			const isMixed = access.source === undefined && mixedReaders.has(node.name);
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
		if (!shape.isSame && receivers.has(node.name) && takesWhole(node)) {
			unclear.add(`"${node.name}" gets the whole item.`);
		}
		let isSameNode = true;
		const parameters = mapTexts(node.parameters, (text, place) => {
			const changed = rewriteText(node, text, place);
			if (changed !== text) isSameNode = false;
			return changed;
		});
		const split = receivers.has(node.name) && shortType(node) === 'splitOut';
		// What is known of it stays known.
		if (isSameNode && !split) return node;
		return {
			...node,
			parameters: {
				...objectOf(parameters),
				...(split && rewriteSplit(node, shape, unclear, rewritten)),
			},
		};
	};

	const passed = workflow.nodes.filter(
		(node) => node.name === name || (receivers.has(node.name) && passing.includes(shortType(node))),
	);
	const isLast = passed.some((node) => successorsOf(workflow, node.name).length === 0);
	if (!shape.isSame && isLast && hasCaller(workflow)) {
		unclear.add(callerGets);
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
