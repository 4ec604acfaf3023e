import type { ZodIssue } from 'zod/v3';
import { displayName } from '../../nodes/runtime/errors/displayName';
import { readSettings } from '../../nodes/runtime/form/settings';
import { resources } from '../../nodes/WebData/resources';
import { hasExpression, isExpression } from './expressions.cjs';
import { valueOfJson } from './literals.cjs';
import { isObject, listOf, objectOf, omit, ownOf, type Json, type JsonObject } from './json.cjs';

/** What stands at a path, or the nearest value above it. */
function nearest(value: unknown, path: ZodIssue['path']): { found: Json; isThere: boolean } {
	let found = objectOf(value) as Json;
	for (const step of path) {
		const next = typeof step === 'number' ? listOf(found)[step] : ownOf(objectOf(found), step);
		if (next === undefined) return { found, isThere: false };
		found = next;
	}
	return { found, isThere: true };
}

/** What a rule about other fields does not depend on. */
const apart = [
	...['url', 'urls', 'query', 'jobId', 'actions', 'additionalFields', 'options', 'scrapeOptions'],
];

/** The operation of a node with these parameters. */
export const nodeOperation = (parameters: JsonObject) =>
	resources
		.find(({ value }) => value === parameters.resource)
		?.operations.find(({ value }) => value === parameters.operation);

/** What a converted node would reject when it runs, by its own schema: a sentence for each field. */
export function rejectedBySchema(parameters: JsonObject): string[] {
	const operation = nodeOperation(parameters);
	if (!operation) return [];
	const { requestJson = '', ...group } = objectOf(parameters.additionalFields);
	const given = valueOfJson(requestJson);
	// What n8n adds, and expressions as texts.
	const choices = operation.fields.filter(({ type }) => type === 'options');
	const values = {
		...Object.fromEntries(choices.map((field) => [field.name, field.default])),
		...parameters,
		additionalFields: { ...group, ...(isObject(given) && { requestJson: JSON.stringify(given) }) },
	};
	const request = operation.read(values);
	const merged = { ...objectOf(request), ...objectOf(given) };
	const others = [omit(parameters, ...apart), isObject(given) ? '' : requestJson];
	// Whether it is there whatever the expressions compute.
	const isCertain = ({ path }: ZodIssue) => {
		const { found, isThere } = nearest(merged, path);
		return !hasExpression(isThere || isExpression(found) ? found : others);
	};
	const issues = [
		...(operation.schema.safeParse(request).error?.issues ?? []),
		...(readSettings(parameters).error?.issues ?? []),
	].filter(isCertain);
	const texts = issues.map(
		({ path, message }) => `"${displayName(operation.fields, path)}" ${message}`,
	);
	return [...new Set(texts)].map((text) => `Correct it before it runs: ${text}.`);
}
