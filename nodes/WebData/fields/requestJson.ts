import {
	brokenExpression,
	forwardIssues,
	isEmptyJson,
	jsonObject,
	transformSchema,
	type Schema,
} from '../../runtime/form/schema';
import { editorOnly, jsonField } from '../../runtime/form/field';
import { isRecord, fieldOf, type JsonRecord } from '../../runtime/values/record';

/** The request in the API's form: n8n resolves no expression for a whole collection, such as formats. */
export const requestJson = editorOnly(
	jsonField(
		'Request (JSON)',
		'Fields of the API request, also those without a field here; they override the fields above',
		jsonObject(),
		{
			hint: 'e.g. {"minAge": 1}. Fill in required fields, too. In expressions, put a space between closing braces.',
		},
	),
);

/** Merges groups of the request; a schema is one value. */
const together = (name: string, stored: unknown, given: unknown) =>
	name !== 'schema' && isRecord(stored) && isRecord(given) ? { ...stored, ...given } : given;

/** The request with the fields of `requestJson` over the editor's, and their values; or why not. */
function mergeRequestJson({ requestJson: json, ...request }: JsonRecord) {
	if (isEmptyJson(json)) return { data: { request, given: {} } };
	const { data: given, error } = jsonObject().safeParse(json);
	if (!given) return { error };
	const fields = Object.entries(given).map(([name, field]) => [
		name,
		together(name, fieldOf(request, name), field),
	]);
	return { data: { request: { ...request, ...Object.fromEntries(fields) }, given } };
}

/** Replaces fields by those of `requestJson` before validation; unknown ones pass, unless they belong elsewhere. */
export const withRequestJson = <Request>(
	schema: Schema<Request>,
	elsewhere: readonly string[] = [],
): Schema<Request> =>
	transformSchema((value, context): Request => {
		const { data, error } = mergeRequestJson(isRecord(value) ? value : {});
		if (!data) return forwardIssues(error, context, 'requestJson');
		const { request, given } = data;
		for (const name of ['requestJson', ...elsewhere].filter((each) => Object.hasOwn(given, each))) {
			context.addIssue({ code: 'custom', message: `has no field '${name}'` });
		}
		for (const [name, text] of Object.entries(given)) {
			const message = typeof text === 'string' && name !== 'code' && brokenExpression(text);
			if (message) context.addIssue({ code: 'custom', message, path: [name] });
		}
		const result = schema.safeParse(request);
		return result.success ? result.data : forwardIssues(result.error, context);
	});
