import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';
import { handOn, isEmptyJson, jsonObject, prepared } from '../../runtime/contract';
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
			{
				name: 'Example',
				value: 'example',
				description: 'A JSON object that looks like the wanted result',
			},
			{ name: 'JSON Schema', value: 'schema' },
		],
		description: 'How the wanted shape is described',
	},
	{
		displayName: 'Schema',
		name: 'schema',
		type: 'json',
		default: '{}',
		displayOptions: { show: { ...displayOptions.show, schemaType: ['schema'] } },
		description:
			'JSON Schema that the result must follow, such as {"type": "object", "properties": {"price": {"type": "number"}}}; none when empty',
	},
	{
		displayName: 'Example',
		name: 'schemaExample',
		type: 'json',
		default: '{}',
		displayOptions: { show: { ...displayOptions.show, schemaType: ['example'] } },
		description:
			'Object whose fields and types the result must have, such as {"product": "Mug", "price": 9.5}; none when empty',
	},
];

type JsonSchema = Record<string, unknown>;

const typesOf = ({ type }: JsonSchema): unknown[] => (type === undefined ? [] : [type].flat());

/** What two entries of an example's list have in common: nothing is known of an absent value, and types that differ are both allowed. */
function merge(one: JsonSchema, other: JsonSchema): JsonSchema {
	const types = [...new Set([...typesOf(one), ...typesOf(other)])];
	if (typesOf(one).length === 0) return other;
	if (typesOf(other).length === 0) return one;
	if (types.length > 1) return { type: types };
	if (isRecord(one.items) && isRecord(other.items)) {
		return { type: 'array', items: merge(one.items, other.items) };
	}
	if (!isRecord(one.properties) || !isRecord(other.properties)) return one;
	const properties = new Map(Object.entries(one.properties));
	for (const [name, theirs] of Object.entries(other.properties)) {
		const mine = properties.get(name);
		properties.set(name, isRecord(mine) && isRecord(theirs) ? merge(mine, theirs) : theirs);
	}
	return { type: 'object', properties: Object.fromEntries(properties) };
}

/** The JSON Schema that an example follows: objects by their fields, lists by all their entries. */
export function schemaFromExample(example: unknown): JsonSchema {
	if (Array.isArray(example)) {
		const entries = example.map(schemaFromExample);
		return { type: 'array', items: entries.length === 0 ? {} : entries.reduce(merge) };
	}
	if (isRecord(example)) {
		const properties = Object.entries(example).map(([name, value]) => [
			name,
			schemaFromExample(value),
		]);
		return { type: 'object', properties: Object.fromEntries(properties) };
	}
	return example === null ? {} : { type: typeof example };
}

/** Puts the schema in the place of the editor's own fields, before the contract of the object around it is checked. */
export const withSchema = <Contract extends z.ZodTypeAny>(contract: Contract) =>
	prepared(contract, (value, context) => {
		const { schemaType, schemaExample, schema, ...members } = value;
		const source = schemaType === 'example' ? 'schemaExample' : 'schema';
		const given = source === 'schema' ? schema : schemaExample;
		if (isEmptyJson(given)) return members;
		const checked = jsonObject().safeParse(given);
		if (checked.success) {
			const { data } = checked;
			return { ...members, schema: source === 'schema' ? data : schemaFromExample(data) };
		}
		return handOn(checked.error, context, source);
	});
