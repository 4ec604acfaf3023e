import type { ZodIssue } from 'zod/v3';
import { displayName } from '../../nodes/runtime/errors/displayName';
import { readSettings } from '../../nodes/runtime/form/settings';
import { resources } from '../../nodes/WebData/resources';
import { hasExpression } from './expressions.cjs';
import { listOf, objectOf, omit, ownOf, type Json, type JsonObject } from './json.cjs';

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

/** Fields that a rule about other fields does not depend on. */
const apart = ['url', 'urls', 'query', 'jobId'];

/** Whether a problem is there whatever the expressions among the parameters compute. */
function isCertain({ path }: ZodIssue, request: unknown, parameters: JsonObject): boolean {
	const { found, isThere } = nearest(request, path);
	return !hasExpression(isThere ? found : omit(parameters, ...(path.length > 1 ? apart : [])));
}

/** What a converted node would reject when it runs, by its own schema: a sentence for each field. */
export function rejectedBySchema(parameters: JsonObject): string[] {
	const resource = resources.find(({ value }) => value === parameters.resource);
	const operation = resource?.operations.find(({ value }) => value === parameters.operation);
	if (!operation) return [];
	const request = operation.read(parameters);
	const issues = [
		...(operation.schema.safeParse(request).error?.issues ?? []),
		...(readSettings(parameters).error?.issues ?? []),
	].filter((issue) => isCertain(issue, request, parameters));
	const texts = issues.map(
		({ path, message }) => `"${displayName(operation.fields, path)}" ${message}`,
	);
	return [...new Set(texts)].map((text) => `Correct it before it runs: ${text}.`);
}
