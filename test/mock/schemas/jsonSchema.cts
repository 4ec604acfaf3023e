import Ajv from 'ajv';
import { z } from 'zod/v4';

import { refuse } from './fields.cjs';

type Schema = Record<string, unknown>;

const record = z.record(z.string(), z.unknown());

const isSchema = (value: unknown): value is Schema => record.safeParse(value).success;

const deepest = 2_000;

const dictionaryMessage =
	"Schema contains invalid structure for OpenAI: object type with no 'properties' defined but 'additionalProperties: true' (schema-less dictionary not supported by OpenAI). Please define specific properties for your object. Note: Recursive schemas using '$ref' are supported.";

/** What the newest server refuses in one node of a page's schema (docs/api-notes.md, JSON Schemas). */
function nodeFault(node: Schema): string | undefined {
	for (const keyword of ['allOf', 'not']) {
		if (keyword in node) return `${keyword} is not supported`;
	}
	const { type, items, properties, patternProperties, additionalProperties } = node;
	const types = Array.isArray(type) ? (type as unknown[]) : [type];
	const isTyped = ['type', 'anyOf', 'oneOf', 'enum', 'const'].some(
		(key) => node[key] !== undefined,
	);
	if (!isTyped) return 'missing type';
	if (types.includes('array') && items === undefined) return 'array without items';
	const isDictionary = properties === undefined && patternProperties === undefined;
	if (type === 'object' && isDictionary && additionalProperties === true) return dictionaryMessage;
	return undefined;
}

function childrenOf(node: Schema): Array<[path: string, child: unknown]> {
	const within = (keyword: string): Array<[string, unknown]> => {
		const value = node[keyword];
		if (typeof value !== 'object' || value === null) return [];
		return Object.entries(value).map(([name, child]) => [`${keyword}.${name}`, child]);
	};
	const many = ['properties', 'patternProperties', '$defs', 'definitions', 'anyOf', 'oneOf'];
	const { items, additionalProperties } = node;
	const one = (keyword: string, child: unknown): Array<[string, unknown]> => [[keyword, child]];
	return [
		...[...many, 'prefixItems'].flatMap(within),
		...(Array.isArray(items) ? within('items') : items === undefined ? [] : one('items', items)),
		...(isSchema(additionalProperties) ? one('additionalProperties', additionalProperties) : []),
	];
}

function pageFault(node: unknown, path: string, level = 0): string | undefined {
	if (level === deepest) return `${path}: nested too deep`;
	if (!isSchema(node)) return `${path}: missing type`;
	if ('$ref' in node) return undefined;
	const fault = nodeFault(node);
	if (fault === dictionaryMessage) return fault;
	if (fault !== undefined) return `${path}: ${fault}`;
	for (const [step, child] of childrenOf(node)) {
		const inside = pageFault(child, `${path}.${step}`, level + 1);
		if (inside !== undefined) return inside;
	}
	return undefined;
}

/** `schema` of the formats json, deterministicJson and changeTracking. */
export const pageSchema = record.superRefine((schema, check) => {
	const fault = pageFault(schema, 'schema');
	if (fault !== undefined) refuse(check, fault);
});

/** The names of ajv-formats, which the server adds to its Ajv. */
const formats =
	'date time date-time iso-time iso-date-time duration uri uri-reference uri-template url email ' +
	'hostname ipv4 ipv6 regex uuid json-pointer json-pointer-uri-fragment relative-json-pointer byte ' +
	'int32 int64 float double password binary';

/** Checks schemas by draft-07's own schema, which takes long to compile and keeps nothing of what it checks. */
const draft = new Ajv({ logger: false });

/** The server's Ajv: draft-07, in its strict mode, with the formats by name. A new one knows no `$id` of a schema before. */
const agentAjv = () =>
	new Ajv({
		logger: false,
		validateSchema: false,
		code: { optimize: false },
		formats: Object.fromEntries(formats.split(' ').map((name) => [name, true])),
	});

/** `schema` of an agent run. */
export const agentSchema = record.superRefine((schema, check) => {
	try {
		void draft.validateSchema(schema, true);
		agentAjv().compile(schema);
	} catch (error) {
		const words = error instanceof Error ? error.message : String(error);
		refuse(check, `Invalid JSON schema: ${words}`);
	}
});
