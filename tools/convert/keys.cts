import { chunksOf, isExpression } from './expressions.cjs';
import { headersOf } from './httpRequest.cjs';
import { mapTexts, objectOf, textOf, type Json, type JsonObject } from './json.cjs';
import type { Workflow, WorkflowNode } from './workflow.cjs';

/** A key of the service. */
const keys = /\bfc-[0-9a-zA-Z]{8,}/g;

/** The text without keys of the service. */
export const withoutKeys = (text: string): string => text.replace(keys, 'fc-…');

const hasKey = (text: string): boolean => withoutKeys(text) !== text;

/** The parameters without the texts that hold a key, which become empty. */
export const emptiedOfKeys = (parameters: JsonObject): JsonObject =>
	objectOf(mapTexts(parameters, (text) => text.replace(keys, '')));

const authorizing = ['authorization', 'x-api-key'];

/** Whether a header that authorizes is there in plain text, not computed. */
const isSecret = ([name, value]: [string, Json]): boolean => {
	const chunks = isExpression(value) ? chunksOf(value) : [{ isCode: false, text: textOf(value) }];
	const text = chunks.map((chunk) => (chunk.isCode ? '' : chunk.text)).join('');
	const secret = text.trim().replace(/^(bearer|basic|token)\b/i, '');
	return authorizing.includes(name.toLowerCase()) && secret.trim() !== '';
};

/** Where a workflow has keys in plain text: nodes, and what is pinned. `isCall` says which nodes ask the service. */
export function plainKeys(
	{ nodes, pinData }: Workflow,
	isCall: (node: WorkflowNode) => boolean,
): string[] {
	const holding = nodes.filter(
		(node) =>
			hasKey(JSON.stringify(node.parameters)) ||
			(isCall(node) && Object.entries(headersOf(node)).some(isSecret)),
	);
	const pinned = Object.entries(objectOf(pinData)).filter(([, items]) =>
		hasKey(JSON.stringify(items)),
	);
	return [
		...holding.map(({ name }) => withoutKeys(`"${name}"`)),
		...pinned.map(([name]) => withoutKeys(`the pinned data of "${name}"`)),
	];
}
