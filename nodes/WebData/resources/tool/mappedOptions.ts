import { z } from 'zod/v3';
import {
	numberSchema,
	booleanSchema,
	isUnset,
	jsonObject,
	listSchema,
} from '../../../runtime/form/schema';
import { isRecord, fieldOf, type JsonRecord } from '../../../runtime/values/record';
import { toolOptions } from './call';

/** A description of a tool's option, as the editor stores it. */
interface OptionField {
	id: string;
	required: boolean;
	removed: boolean;
	type: unknown;
}

const fieldsIn = (schema: unknown): OptionField[] =>
	(Array.isArray(schema) ? schema : []).flatMap((field: unknown) => {
		const id = fieldOf(field, 'id');
		if (typeof id !== 'string') return [];
		const is = (name: string) => fieldOf(field, name) === true;
		return [{ id, required: is('required'), removed: is('removed'), type: fieldOf(field, 'type') }];
	});

/** Converts a value to the tool's type: expressions and text fields of the editor return text. */
function readerOf(type: unknown): z.ZodTypeAny {
	if (type === 'number') return numberSchema();
	if (type === 'boolean') return booleanSchema();
	if (type === 'array') return listSchema(z.unknown());
	return type === 'object' ? jsonObject() : z.unknown();
}

/** Converts the values of the editor's option fields to the tool's types. */
function readFields(mapper: JsonRecord, context: z.RefinementCtx): JsonRecord {
	const values = isRecord(mapper.value) ? mapper.value : {};
	const known = fieldsIn(mapper.schema);
	for (const { id } of known.filter(
		(field) => field.required && isUnset(fieldOf(values, field.id)),
	)) {
		context.addIssue({ code: 'custom', message: 'is required', path: [id] });
	}
	const byId = new Map(known.map((field) => [field.id, field]));
	const entries = Object.entries(values).flatMap(([id, value]) => {
		const field = byId.get(id);
		if (isUnset(value) || field?.removed) return [];
		const result = readerOf(field?.type).safeParse(value);
		if (result.success) return [[id, result.data]];
		for (const issue of result.error.issues) {
			context.addIssue({ ...issue, path: [id, ...issue.path] });
		}
		return [];
	});
	return Object.fromEntries(entries);
}

/** A tool's options, from the editor's fields or an object. Undefined if none is set. */
export const mappedOptions = () =>
	z
		.unknown()
		.transform((value, context) =>
			isRecord(value) && 'mappingMode' in value ? readFields(value, context) : value,
		)
		.pipe(toolOptions())
		.transform((options) => (Object.keys(options).length === 0 ? undefined : options));
