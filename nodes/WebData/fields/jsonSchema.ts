import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { isUnset, jsonObject } from '../../runtime/contract';
import { isRecord } from '../../runtime/record';

/**
 * A JSON Schema given as it is, or made from an example object. The editor's own fields `schemaType`
 * and `schemaExample` never leave the machine.
 */
export const jsonSchemaFields = (
	displayOptions: INodeProperties['displayOptions'] = {},
): INodeProperties[] => [
	{
		displayName: 'Schema From',
		name: 'schemaType',
		type: 'options',
		default: 'schema',
		displayOptions,
		options: [
			{ name: 'Example', value: 'example', description: 'A JSON object that looks like the wanted result' },
			{ name: 'JSON Schema', value: 'schema' },
		],
		description: 'How the wanted shape is described',
	},
	{
		displayName: 'Schema',
		name: 'schema',
		type: 'json',
		default: '',
		displayOptions: { show: { ...displayOptions.show, schemaType: ['schema'] } },
		placeholder: 'e.g. {"type": "object", "properties": {"price": {"type": "number"}}}',
		description: 'JSON Schema that the result must follow',
	},
	{
		displayName: 'Example',
		name: 'schemaExample',
		type: 'json',
		default: '',
		displayOptions: { show: { ...displayOptions.show, schemaType: ['example'] } },
		placeholder: 'e.g. {"product": "Mug", "price": 9.5}',
		description: 'Object whose fields and types the result must have',
	},
];

type JsonSchema = Record<string, unknown>;

/** The union of two schemas made from examples: entries of a list may differ. */
function merge(one: JsonSchema, other: JsonSchema): JsonSchema {
	if (one.type !== other.type) return {};
	if (isRecord(one.properties) && isRecord(other.properties)) {
		const names = [...new Set([...Object.keys(one.properties), ...Object.keys(other.properties)])];
		const properties: JsonSchema = {};
		for (const name of names) {
			const [mine, theirs] = [one.properties[name], other.properties[name]];
			properties[name] = isRecord(mine) && isRecord(theirs) ? merge(mine, theirs) : (mine ?? theirs);
		}
		return { type: 'object', properties };
	}
	return one;
}

/** The JSON Schema that an example follows: objects by their fields, lists by their entries, whole numbers as numbers. */
export function schemaFromExample(example: unknown): JsonSchema {
	if (Array.isArray(example)) {
		const entries = example.map(schemaFromExample);
		return { type: 'array', items: entries.length === 0 ? {} : entries.reduce(merge) };
	}
	if (isRecord(example)) {
		const properties = Object.entries(example).map(([name, value]) => [name, schemaFromExample(value)]);
		return { type: 'object', properties: Object.fromEntries(properties) };
	}
	return example === null ? {} : { type: typeof example };
}

/** Puts the schema in the place of the editor's own fields, before the contract of the object around it is checked. */
export const withSchema = <Contract extends z.ZodTypeAny>(contract: Contract) =>
	z
		.unknown()
		.transform((value, context) => {
			if (!isRecord(value)) return value;
			const { schemaType, schemaExample, schema, ...members } = value;
			if (schemaType !== 'example' || isUnset(schemaExample)) return { ...members, schema };
			const example = jsonObject().safeParse(schemaExample);
			if (example.success) return { ...members, schema: schemaFromExample(example.data) };
			for (const issue of example.error.issues) {
				context.addIssue({ ...issue, path: ['schemaExample', ...issue.path] });
			}
			return z.NEVER;
		})
		.pipe(contract);
