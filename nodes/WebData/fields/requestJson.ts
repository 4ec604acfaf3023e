import {
	brokenExpression,
	forwardIssues,
	isEmptyJson,
	jsonObject,
	transformSchema,
	type Schema,
} from '../../runtime/form/schema';
import { editorOnly, jsonField } from '../../runtime/form/field';
import { isRecord, fieldOf, setField, type JsonRecord } from '../../runtime/values/record';

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

/** Replaces fields by those of `requestJson` before validation; unknown ones pass, unless they belong elsewhere. */
export const withRequestJson = <Request>(
	schema: Schema<Request>,
	elsewhere: readonly string[] = [],
): Schema<Request> =>
	transformSchema((value, context): Request => {
		const { requestJson: json, ...request }: JsonRecord = isRecord(value) ? value : {};
		const given = isEmptyJson(json) ? undefined : jsonObject().safeParse(json);
		if (given && !given.success) return forwardIssues(given.error, context, 'requestJson');
		for (const [name, field] of Object.entries(given?.data ?? {})) {
			if (name === 'requestJson' || elsewhere.includes(name))
				context.addIssue({ code: 'custom', message: `has no field '${name}'` });
			const message = typeof field === 'string' && name !== 'code' && brokenExpression(field);
			if (message) context.addIssue({ code: 'custom', message, path: [name] });
			setField(request, name, together(name, fieldOf(request, name), field));
		}
		const result = schema.safeParse(request);
		return result.success ? result.data : forwardIssues(result.error, context);
	});
