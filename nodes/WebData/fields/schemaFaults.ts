import { preview } from '../../runtime/form/schema';
import { isRecord, type JsonRecord } from '../../runtime/values/record';

/** Where a JSON Schema is used: for what is read from pages, or for what an agent returns. */
export type SchemaUse = 'page' | 'agent';

type Path = Array<string | number>;

/** Why the service would refuse a JSON Schema, and where; `because` is a predicate. */
export interface SchemaFault {
	path: Path;
	because: string;
}

const mostFaults = 10;

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** The types of a node; none where it names none. */
const typesOf = ({ type }: JsonRecord): unknown[] => (type === undefined ? [] : [type].flat());

/** What an agent's schema may have (Ajv in its strict mode, JSON Schema draft 7). */
const agentKeywords = new Set(
	[
		'$schema $id $ref $defs $vocabulary $comment $async definitions type nullable const enum',
		'maximum minimum exclusiveMaximum exclusiveMinimum multipleOf maxLength minLength pattern format',
		'maxProperties minProperties required maxItems minItems uniqueItems',
		'not anyOf oneOf allOf if then else propertyNames additionalProperties dependencies properties',
		'patternProperties additionalItems items contains',
		'title description default deprecated readOnly writeOnly examples',
		'contentMediaType contentEncoding contentSchema',
	].flatMap((line) => line.split(' ')),
);

const agentFormats = new Set(
	[
		'date time date-time iso-time iso-date-time duration uri uri-reference uri-template url email',
		'hostname ipv4 ipv6 regex uuid json-pointer json-pointer-uri-fragment relative-json-pointer',
		'byte int32 int64 float double password binary',
	].flatMap((line) => line.split(' ')),
);

const noSchema = 'must be a schema such as {"type": "string"}';

/** What the service refuses of a page's schema in one node, without what is inside. */
function pageFaults(node: JsonRecord): string[] {
	const unsupported = ['allOf', 'not'].filter((keyword) => node[keyword] !== undefined);
	const isTyped = ['type', 'anyOf', 'oneOf', 'enum', 'const'].some(
		(key) => node[key] !== undefined,
	);
	const isDictionary =
		node.type === 'object' &&
		node.additionalProperties === true &&
		node.properties === undefined &&
		node.patternProperties === undefined;
	const implied = isRecord(node.properties) ? '; it needs "type": "object"' : '';
	return [
		...unsupported.map((keyword) => `has ${keyword}, which the service does not take for pages`),
		...(isTyped || unsupported.length > 0 ? [] : [`has no type${implied}`]),
		...(typesOf(node).includes('array') && node.items === undefined
			? ['is a list without items; say what its entries are, such as "items": {"type": "string"}']
			: []),
		...(isDictionary
			? ['has additionalProperties: true without properties; name its properties']
			: []),
	];
}

/** What the service refuses of an agent's schema in one node, without what is inside. */
function agentFaults(node: JsonRecord): string[] {
	const keywords = Object.keys(node).filter((keyword) => !agentKeywords.has(keyword));
	const { format, required } = node;
	const unknownTypes = typesOf(node).filter((type) => !types.some((known) => known === type));
	return [
		...keywords.map(
			(keyword) => `has '${preview(keyword)}', which is no keyword that the service knows`,
		),
		...unknownTypes.map(
			(type) =>
				`has the type '${preview(type)}'; types are ${types.slice(0, -1).join(', ')} and null`,
		),
		...(typeof format === 'string' && !agentFormats.has(format)
			? [`has the format '${preview(format)}', which the service does not know`]
			: []),
		...(required !== undefined && !Array.isArray(required)
			? ['has required, which must be a list of names beside properties']
			: []),
	];
}

/** Keywords whose value is a schema, a list of schemas, or an object of schemas. */
const inner = {
	page: {
		one: ['items', 'additionalProperties'],
		list: ['items', 'prefixItems', 'anyOf', 'oneOf'],
		named: ['properties', 'patternProperties', '$defs', 'definitions'],
	},
	agent: {
		one: [
			'items',
			'additionalProperties',
			'additionalItems',
			'contains',
			'propertyNames',
			'not',
			'if',
			'then',
			'else',
		],
		list: ['items', 'anyOf', 'oneOf', 'allOf'],
		named: ['properties', 'patternProperties', '$defs', 'definitions'],
	},
} as const;

/** A part of a schema, and where it is. */
interface Part {
	path: Path;
	schema: unknown;
}

/** Whether the service reads a property's schema: Ajv, which reads those of agents, passes over `__proto__`. */
const isRead = (keyword: string, name: string, use: SchemaUse) =>
	use === 'page' || name !== '__proto__' || !/roperties$/.test(keyword);

/** The schemas inside a node. What is in the place of one and is none is among them. */
function partsOf(node: JsonRecord, path: Path, use: SchemaUse): Part[] {
	const { one, list, named } = inner[use];
	const isAllowance = (keyword: string) =>
		/^additional/.test(keyword) && typeof node[keyword] === 'boolean';
	return [
		...one
			.filter((key) => node[key] !== undefined && !Array.isArray(node[key]) && !isAllowance(key))
			.map((key) => ({ path: [...path, key], schema: node[key] })),
		...list.flatMap((key) => {
			const entries: unknown = node[key];
			return Array.isArray(entries)
				? entries.map((schema: unknown, index) => ({ path: [...path, key, index], schema }))
				: [];
		}),
		...named.flatMap((key) => {
			const members = node[key];
			return isRecord(members)
				? Object.entries(members)
						.filter(([name]) => isRead(key, name, use))
						.map(([name, schema]) => ({ path: [...path, key, name], schema }))
				: [];
		}),
	];
}

/**
 * Why the newest server would refuse a JSON Schema; nothing when it would not (docs/api-notes.md, JSON
 * Schemas). Looked at level by level, each part once: recursion would overflow.
 */
export function schemaFaults(schema: JsonRecord, use: SchemaUse): SchemaFault[] {
	const faults: SchemaFault[] = [];
	const seen = new Set<unknown>();
	let level: Part[] = [{ path: [], schema }];
	while (level.length > 0 && faults.length < mostFaults) {
		const next: Part[][] = [];
		for (const part of level) {
			const { path, schema: node } = part;
			if (!isRecord(node)) {
				const isAnything = use === 'agent' && typeof node === 'boolean';
				if (!isAnything) faults.push({ path, because: noSchema });
			} else if (!seen.has(node) && !(use === 'page' && node.$ref !== undefined)) {
				seen.add(node);
				const told = use === 'page' ? pageFaults(node) : agentFaults(node);
				for (const because of told) faults.push({ path, because });
				next.push(partsOf(node, path, use));
			}
		}
		level = next.flat();
	}
	return faults.slice(0, mostFaults);
}

/** Whether an object is an example of data rather than a JSON Schema: nothing in it says of a shape. */
export function isExample(value: JsonRecord): boolean {
	const named = typesOf(value);
	const isTyped = named.length > 0 && named.every((type) => types.some((known) => known === type));
	const isListed = ['anyOf', 'oneOf', 'allOf', 'enum'].some((key) => Array.isArray(value[key]));
	const isInner = ['properties', 'items', 'not', 'patternProperties'].some((key) =>
		isRecord(value[key]),
	);
	const isReference = typeof value.$ref === 'string';
	return !isTyped && !isListed && !isInner && !isReference && value.const === undefined;
}
