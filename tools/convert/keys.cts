import { chunksOf, isExpression, nameOf, parseExpression } from './expressions.cjs';
import { isObject, mapTexts, objectOf, textOf, type Json, type JsonObject } from './json.cjs';
import { objectOfJson } from './literals.cjs';
import type { Workflow, WorkflowNode } from './workflow.cjs';

/** A key of the service. */
const keys = /\bfc-[0-9a-zA-Z]{8,}/g;

/** The text without keys of the service. */
export const withoutKeys = (text: string): string => text.replace(keys, 'fc-…');

const hasKey = (text: string): boolean => withoutKeys(text) !== text;

/** The parameters without the texts that hold a key, which become empty. */
export const emptiedOfKeys = (parameters: JsonObject): JsonObject =>
	objectOf(mapTexts(parameters, (text) => text.replace(keys, '')));

/** The text of a value, as far as no code computes it. */
function literalText(value: string): string {
	if (!isExpression(value)) return value;
	const texts = chunksOf(value).map(({ isCode, text }) =>
		isCode ? textOf(nameOf(parseExpression(text)?.tree, true)) : text,
	);
	return texts.join('');
}

/** Whether the value of a header that authorizes is there in plain text. */
const isSecret = (value: string): boolean =>
	literalText(value)
		.trim()
		.replace(/^(bearer|basic|token)\b/i, '')
		.trim() !== '';

const authorizing = ['authorization', 'x-api-key'];
const jsonHeaders = ['jsonHeaders', 'headerParametersJson'];

/** Where a value has a key: the names of the places, never the key. Headers that authorize count if `isCall`. */
function placesOf(given: JsonObject, isCall: boolean): string[] {
	const places: string[] = [];
	const visit = (value: Json, place: string[], name: string) => {
		if (Array.isArray(value)) {
			value.forEach((entry, index) => visit(entry, [...place, String(index)], name));
		} else if (isObject(value)) {
			const own = textOf(value.name);
			for (const [field, entry] of Object.entries(value)) {
				if (field !== 'name') visit(entry, [...place, field], own || name);
			}
		} else if (typeof value === 'string') {
			const last = place.at(-1) ?? '';
			const headers = jsonHeaders.includes(last) ? objectOfJson(value) : undefined;
			if (headers) return visit(headers, place, '');
			const isNamed = [name, last].some((part) => authorizing.includes(part.toLowerCase()));
			if (!hasKey(value) && !(isCall && isNamed && isSecret(value))) return;
			places.push([place[0], name === '' ? last : name].join(' › '));
		}
	};
	visit(given, [], '');
	return places.map(withoutKeys);
}

/** Where a workflow has keys in plain text; `isCall` says which nodes ask the service. */
export function plainKeys(
	{ nodes, pinData }: Workflow,
	isCall: (node: WorkflowNode) => boolean,
): string[] {
	return [
		...nodes.flatMap((node) =>
			placesOf(node.parameters, isCall(node)).map((place) => `"${node.name}" › ${place}`),
		),
		...Object.entries(isObject(pinData) ? pinData : {}).flatMap(([name, pinned]) =>
			hasKey(JSON.stringify(pinned)) ? [`"${name}" › pinned data`] : [],
		),
	];
}
