import Ajv from 'ajv';
import { z } from 'zod/v4';

import { refuse } from './fields.cjs';

const record = z.record(z.string(), z.unknown());
type Schema = z.output<typeof record>;

const isSchema = (value: unknown): value is Schema => record.safeParse(value).success;

const dictionaryMessage =
	"Schema contains invalid structure for OpenAI: object type with no 'properties' defined but 'additionalProperties: true' (schema-less dictionary not supported by OpenAI). Please define specific properties for your object. Note: Recursive schemas using '$ref' are supported.";

/** What the newest server refuses in one node of a page's schema (docs/api-notes.md, JSON Schemas). */
function nodeFault(node: Schema): string | undefined {
	const unsupported = ['allOf', 'not'].find((keyword) => keyword in node);
	if (unsupported) return `${unsupported} is not supported`;
	const isTyped = ['type', 'anyOf', 'oneOf', 'enum', 'const'].some((key) => key in node);
	if (!isTyped) return 'missing type';
	const { type, items, properties, additionalProperties } = node;
	if ([type].flat().includes('array') && !items) return 'array without items';
	const isDictionary = type === 'object' && !properties && additionalProperties === true;
	return isDictionary ? dictionaryMessage : undefined;
}

/** The schemas within a schema: under the names of others, and by themselves. */
function childrenOf(node: Schema): unknown[] {
	const named = ['properties', 'patternProperties', '$defs', 'definitions', 'anyOf', 'oneOf'];
	const alone = [node.items, node.additionalProperties].filter(isSchema);
	return [...named.flatMap((keyword) => Object.values(Object(node[keyword]))), ...alone];
}

function pageFault(node: unknown): string | undefined {
	if (!isSchema(node)) return 'missing type';
	if ('$ref' in node) return undefined;
	const [fault] = [nodeFault(node), ...childrenOf(node).map(pageFault)].filter(Boolean);
	return fault;
}

/** `schema` of the formats json, deterministicJson and changeTracking. */
export const pageSchema = record.superRefine((schema, check) => {
	const fault = pageFault(schema);
	if (fault !== undefined) refuse(check, fault);
});

/** The server's Ajv: draft-07, in its strict mode, with whatever formats. */
const ajv = new Ajv({ logger: false, validateFormats: false, code: { optimize: false } });

/** `schema` of an agent run. */
export const agentSchema = record.superRefine((schema, check) => {
	try {
		ajv.compile(schema);
	} catch (error) {
		const words = error instanceof Error ? error.message : String(error);
		refuse(check, `Invalid JSON schema: ${words}`);
	} finally {
		ajv.removeSchema(schema);
	}
});
