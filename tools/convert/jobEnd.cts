import { accessesIn, type Step } from './accesses.cjs';
import {
	childOf,
	childrenIn,
	chunksOf,
	isExpression,
	nameOf,
	parseExpression,
	type Syntax,
} from './expressions.cjs';
import { at, listOf, objectOf, textOf, type Json, type JsonObject } from './json.cjs';
import { shortType, type WorkflowNode } from './workflow.cjs';

/** Data of which only is known that there is some. */
const some = { isData: true } as const;

/** What a value is in the response for a job that is completed; null if it is not there, undefined if that is not known. */
type Known = string | number | boolean | null | typeof some | undefined;

/** What a completed job has at a place of its response. */
function valueAt(steps: Step[]): Known {
	switch (steps.at(-1)) {
		case 'status':
			return 'completed';
		case 'success':
			return true;
		case 'error':
			return null;
		default:
			return steps.includes('data') ? some : undefined;
	}
}

const truth = (value: Known) =>
	value === undefined ? undefined : value === some || Boolean(value);

const not = (value: boolean | undefined) => (value === undefined ? undefined : !value);

const isMissing = (value: Known) =>
	value === undefined ? undefined : value === null || value === '';

/** Whether two values are the same, also as texts, as n8n compares them. */
function isEqual(one: Known, other: Known): boolean | undefined {
	if (one === undefined || other === undefined) return undefined;
	// Data is neither missing nor of no length.
	if (one === some || other === some) {
		const against = one === some ? other : one;
		return against === null || against === '' || against === 0 ? false : undefined;
	}
	return String(one) === String(other);
}

/** Whether a value is above another; of data is known that it has an entry. */
function isAbove(one: Known, other: Known): boolean | undefined {
	if (one === some) return typeof other === 'number' && other < 1 ? true : undefined;
	if (other === some) return typeof one === 'number' && one < 2 ? false : undefined;
	return typeof one === 'number' && typeof other === 'number' ? one > other : undefined;
}

const contains = (one: Known, other: Known) =>
	typeof one === 'string' && typeof other === 'string' ? one.includes(other) : undefined;

type Compare = (one: Known, other: Known) => boolean | undefined;

/** How n8n and code compare, by the names of all versions. */
const comparisons: Record<string, Compare> = Object.fromEntries(
	(
		[
			['equals equal lengthEquals === ==', isEqual],
			['notEquals notEqual lengthNotEquals !== !=', (one, other) => not(isEqual(one, other))],
			['empty isEmpty notExists', (one) => isMissing(one)],
			['notEmpty isNotEmpty exists', (one) => not(isMissing(one))],
			['true', (one) => truth(one)],
			['false', (one) => not(truth(one))],
			['contains includes', contains],
			['notContains', (one, other) => not(contains(one, other))],
			['gt lengthGt larger >', isAbove],
			['lte lengthLte smallerEqual <=', (one, other) => not(isAbove(one, other))],
			['lt lengthLt smaller <', (one, other) => isAbove(other, one)],
			['gte lengthGte largerEqual >=', (one, other) => not(isAbove(other, one))],
		] satisfies Array<[string, Compare]>
	).flatMap(([names, compare]) => names.split(' ').map((name) => [name, compare])),
);

const compared = (one: Known, name: string, other: Known) =>
	Object.hasOwn(comparisons, name) ? comparisons[name](one, other) : undefined;

/** What a call gives: of the methods that conditions use. */
function valueOfCall(node: Syntax, offset: number): Known {
	const callee = childOf(node, 'callee');
	const object = childOf(callee, 'object');
	const method = String(nameOf(childOf(callee, 'property'), false));
	const [argument] = childrenIn(node, 'arguments');
	if (object?.name === 'Object') return argument && valueOf(argument, offset);
	if (!object) return undefined;
	if (object.type === 'ArrayExpression' && method === 'includes' && argument) {
		const value = valueOf(argument, offset);
		const found = childrenIn(object, 'elements').map((each) =>
			isEqual(valueOf(each, offset), value),
		);
		return found.includes(true) ? true : found.includes(undefined) ? undefined : false;
	}
	const value = valueOf(object, offset);
	if (['toLowerCase', 'toString', 'trim'].includes(method)) return value;
	return compared(value, method, argument && valueOf(argument, offset));
}

/** What code computes for a completed job. */
function valueOf(node: Syntax, offset: number): Known {
	const [left, right] = ['left', 'right'].map((side) => childOf(node, side));
	const operator = String(node.operator);
	const [access] = accessesIn({ tree: node, offset }, false).known;
	const [start, end] = node.range;
	if (access && access.start === start - offset && access.end === end - offset) {
		const steps = access.steps.at(-1) === 'length' ? access.steps.slice(0, -1) : access.steps;
		return valueAt(steps);
	}
	if (node.type === 'Literal') {
		const { value } = node;
		return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
			? value
			: value === null
				? null
				: undefined;
	}
	if (node.type === 'CallExpression') return valueOfCall(node, offset);
	if (node.type === 'MemberExpression') {
		const object = childOf(node, 'object');
		return nameOf(childOf(node, 'property'), false) === 'length' && object
			? valueOf(object, offset)
			: undefined;
	}
	if (node.type === 'UnaryExpression' && operator === '!') {
		const argument = childOf(node, 'argument');
		return argument && not(truth(valueOf(argument, offset)));
	}
	if (!left || !right) return undefined;
	const [one, other] = [valueOf(left, offset), valueOf(right, offset)];
	if (node.type === 'BinaryExpression') return compared(one, operator, other);
	if (node.type !== 'LogicalExpression') return undefined;
	const decides = operator !== '&&';
	const sides = [truth(one), truth(other)];
	return sides.includes(decides) ? decides : sides.includes(undefined) ? undefined : !decides;
}

/** What a parameter has for a completed job. */
function valueOfParameter(value: Json | undefined): Known {
	if (!isExpression(value)) return typeof value === 'object' ? null : value;
	const [only, ...others] = chunksOf(value).filter(
		({ isCode, text }) => isCode || text.trim() !== '',
	);
	const parsed = only?.isCode && others.length === 0 ? parseExpression(only.text) : undefined;
	return parsed && valueOf(parsed.tree, parsed.offset);
}

/** Whether conditions hold for a completed job: of them all, or of one. */
function together(holds: Array<boolean | undefined>, isAny: boolean): boolean | undefined {
	if (holds.includes(isAny)) return isAny;
	return holds.length === 0 || holds.includes(undefined) ? undefined : !isAny;
}

/** Conditions as newer nodes store them. */
function holdsNow(conditions: Json | undefined): boolean | undefined {
	const { combinator, conditions: list } = objectOf(conditions);
	const holds = listOf(list).map((condition) => {
		const { leftValue, rightValue, operator } = objectOf(condition);
		const [left, right] = [leftValue, rightValue].map(valueOfParameter);
		return compared(left, textOf(objectOf(operator).operation), right);
	});
	return together(holds, combinator === 'or');
}

/** Conditions as the first version of IF stores them: by type. */
function heldBefore({ conditions, combineOperation }: JsonObject): boolean | undefined {
	const holds = Object.entries(objectOf(conditions)).flatMap(([type, list]) =>
		listOf(list).map((condition) => {
			const { value1, value2 = type === 'boolean' ? false : '', ...others } = objectOf(condition);
			const { operation = type === 'number' ? 'smaller' : 'equal' } = others;
			return compared(valueOfParameter(value1), textOf(operation), valueOfParameter(value2));
		}),
	);
	return together(holds, combineOperation === 'any');
}

/** The output of the first rule of a Switch that holds. */
function outputOfSwitch({ mode = 'rules', rules, value1, options, fallbackOutput }: JsonObject) {
	if (mode !== 'rules') return undefined;
	const list = listOf(at(rules, 'values') ?? at(rules, 'rules')).map(objectOf);
	const holds = list.map((rule) =>
		'conditions' in rule
			? holdsNow(rule.conditions)
			: compared(
					valueOfParameter(value1),
					textOf(rule.operation ?? 'equal'),
					valueOfParameter(rule.value2),
				),
	);
	const first = holds.findIndex((each) => each !== false);
	if (first >= 0) {
		const { output = first } = list[first];
		return holds[first] === true && typeof output === 'number' ? output : undefined;
	}
	const fallback = objectOf(options).fallbackOutput ?? fallbackOutput;
	return fallback === 'extra' ? list.length : typeof fallback === 'number' ? fallback : undefined;
}

/** The only output by which an IF or a Switch passes on a job that is completed; undefined for other nodes, and if it is not understood. */
export function outputAtEnd(node: WorkflowNode): number | undefined {
	const { parameters } = node;
	const type = shortType(node);
	if (type === 'switch') return outputOfSwitch(parameters);
	if (type !== 'if') return undefined;
	const isNew = Array.isArray(at(parameters, 'conditions', 'conditions'));
	const holds = isNew ? holdsNow(parameters.conditions) : heldBefore(parameters);
	return holds === undefined ? undefined : Number(!holds);
}
