import { ApiError, type Detail } from './errors.cjs';
import { parseAgent } from './schemas/agent.cjs';
import { parseBody } from './schemas/body.cjs';
import { formats } from './schemas/formats.cjs';

const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

function refusal(list: unknown): Detail[] {
	try {
		parseBody(formats, list);
		return [];
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		const { details } = error.body;
		return Array.isArray(details) ? details : [];
	}
}

describe.each(['json', 'deterministicJson', 'changeTracking'])('the schema of %s', (type) => {
	const faults = (schema: object) => {
		const list = [{ type, schema }, 'markdown'];
		return refusal(list).map(({ path, message }) => `${path.join('.')} ${message}`);
	};

	test.each<[string, object, string]>([
		['no type', { properties: {} }, 'schema: missing type'],
		['a property of no type', object({ a: {} }), 'schema.properties.a: missing type'],
		['a property that is no schema', object({ a: 'text' }), 'schema.properties.a: missing type'],
		['allOf', object({ a: { allOf: [text] } }), 'schema.properties.a: allOf is not supported'],
		[
			'not',
			object({ a: { ...text, not: { const: '' } } }),
			'schema.properties.a: not is not supported',
		],
		[
			'a list of nothing',
			object({ a: { type: 'array' } }),
			'schema.properties.a: array without items',
		],
		[
			'items of no type',
			object({ a: { type: 'array', items: {} } }),
			'schema.properties.a.items: missing type',
		],
		[
			'a list among types',
			object({ a: { type: ['array', 'null'] } }),
			'schema.properties.a: array without items',
		],
		[
			'one of several',
			object({ a: { anyOf: [text, {}] } }),
			'schema.properties.a.anyOf.1: missing type',
		],
		['a definition', object({}, { $defs: { a: {} } }), 'schema.$defs.a: missing type'],
	])('refused: %s', (_, schema, fault) => {
		expect(faults(schema)).toEqual([`0.schema ${fault}`]);
	});

	test('an object of unknown members is refused in the words of the server', () => {
		expect(faults({ type: 'object', additionalProperties: true })).toEqual([
			expect.stringMatching(/^0\.schema Schema contains invalid structure for OpenAI: object type/),
		]);
	});

	test.each<[string, object]>([
		['nothing but a type', { type: 'object' }],
		['further members beside known ones', object({ a: text }, { additionalProperties: true })],
		['further members of a type', { type: 'object', additionalProperties: text }],
		['a reference', object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: text } })],
		['choices', object({ a: { enum: ['x', 'y'] }, b: { anyOf: [text, { type: 'null' }] } })],
		['properties named like keywords', object({ not: text, allOf: text, type: text })],
		[
			'keywords that it does not know',
			object({ a: { ...text, example: 'x', format: 'currency' } }),
		],
	])('accepted: %s', (_, schema) => {
		expect(faults(schema)).toEqual([]);
	});
});

test('the 400 of an agent’s schema says what the validator says', () => {
	const schema = object({ price: { type: 'number', example: 9.5 } });
	const message = 'Invalid JSON schema: strict mode: unknown keyword: "example"';
	expect(() => parseAgent({ prompt: 'tides', schema })).toThrow(message);
});
