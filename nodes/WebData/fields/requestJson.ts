import { forwardIssues, isEmptyJson, jsonObject } from '../../runtime/form/schema';
import { transformSchema, type Schema } from '../../runtime/form/effects';
import { editorOnly } from '../../runtime/form/field';
import { parsePassingUnknown } from '../../runtime/form/passUnknown';
import { isRecord, fieldOf, type JsonRecord } from '../../runtime/values/record';

/**
 * The request in the API's own shape. n8n resolves no expression on a whole collection, so this is how
 * an earlier node or an AI model gives formats, actions or sources as the API has them.
 */
export const requestJson = editorOnly({
	property: {
		displayName: 'Request (JSON)',
		type: 'json',
		default: '{}',
		description:
			'Fields of the API request as JSON or expression, such as {"scrapeOptions": {"formats": ["markdown", "links"]}}. They override the node\'s fields; unknown ones are sent without validation. In an expression, put a space between closing braces.',
	},
});

/** Groups of the request merge; a schema is one value. */
const together = (name: string, stored: unknown, given: unknown) =>
	name !== 'schema' && isRecord(stored) && isRecord(given) ? { ...stored, ...given } : given;

/** The request with the members of `requestJson` in the place of the fields, and those members; or why they cannot be read. */
function merged({ requestJson: json, ...request }: JsonRecord) {
	if (isEmptyJson(json)) return { data: { request, given: {} } };
	const { data: given, error } = jsonObject().safeParse(json);
	if (!given) return { error };
	const members = Object.entries(given).map(([name, member]) => [
		name,
		together(name, fieldOf(request, name), member),
	]);
	return { data: { request: { ...request, ...Object.fromEntries(members) }, given } };
}

/**
 * Puts the members of `requestJson` in the place of the fields, before the schema of the request is
 * checked. Those that it does not know pass unchecked, but for those that are known and belong elsewhere.
 */
export const withRequestJson = <Request>(
	schema: Schema<Request>,
	elsewhere: readonly string[] = [],
): Schema<Request> =>
	transformSchema((value, context): Request => {
		const { data, error } = merged(isRecord(value) ? value : {});
		if (!data) return forwardIssues(error, context, 'requestJson');
		const { request, given } = data;
		const misplaced = ['requestJson', ...elsewhere];
		const result = parsePassingUnknown(schema, request, given, misplaced);
		return result.success ? result.data : forwardIssues(result.error, context);
	});
