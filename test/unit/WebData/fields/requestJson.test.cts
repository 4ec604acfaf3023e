import {
	objectSchema,
	booleanSchema,
	listSchema,
	stringSchema,
	integerSchema,
} from '../../../../nodes/runtime/form/schema';
import { agent } from '../../../../nodes/WebData/resources/agent';
import { operationOf } from '../../calls.cjs';
import {
	requestJson as field,
	withRequestJson,
} from '../../../../nodes/WebData/fields/requestJson';
import { accepted, refusals, searchBody, searchRefusal } from '../../schemaAssertions.cjs';

const schema = withRequestJson(
	objectSchema({
		query: stringSchema(),
		limit: integerSchema().optional(),
		tags: listSchema(stringSchema()).optional(),
		safe: booleanSchema().optional(),
		place: objectSchema({
			country: stringSchema().optional(),
			city: stringSchema().optional(),
		}).optional(),
	}),
);
const stored = { query: 'tides', limit: 10, tags: { values: ['a'] }, place: { country: 'DE' } };
const read = { query: 'tides', limit: 10, tags: ['a'], place: { country: 'DE' } };

describe('the request as JSON', () => {
	it.each([[undefined], [null], [''], ['  {} '], ['{}'], [{}], [field.property?.default]])(
		'changes nothing when it is %j',
		(requestJson) => {
			expect(accepted(schema, { ...stored, requestJson })).toEqual(read);
		},
	);

	it.each<[string, object, object]>([
		['a text', { query: 'ebb' }, { ...read, query: 'ebb' }],
		['a number', { limit: 0 }, { ...read, limit: 0 }],
		['members that an expression left open', { safe: undefined }, read],
		['a switch that is off', { safe: false }, { ...read, safe: false }],
		['a list in place of a collection', { tags: ['x', 'y'] }, { ...read, tags: ['x', 'y'] }],
		['an empty list', { tags: [] }, { ...read, tags: [] }],
		[
			'an object, member by member',
			{ place: { city: 'Kiel' } },
			{ ...read, place: { country: 'DE', city: 'Kiel' } },
		],
		[
			'the same member of an object',
			{ place: { country: 'FR' } },
			{ ...read, place: { country: 'FR' } },
		],
		[
			'null, which takes the field away',
			{ limit: null },
			{ query: 'tides', tags: ['a'], place: read.place },
		],
	])('puts in the place of a field: %s', (_, requestJson, sent) => {
		expect(accepted(schema, { ...stored, requestJson })).toEqual(sent);
		expect(accepted(schema, { ...stored, requestJson: JSON.stringify(requestJson) })).toEqual(sent);
	});

	it('may be all of the request', () => {
		expect(accepted(schema, { query: '', requestJson: { query: 'ebb', safe: true } })).toEqual({
			query: 'ebb',
			safe: true,
		});
	});

	it.each<[unknown, string]>([
		['{"query": ', 'requestJson is not valid JSON: Unexpected end of JSON input'],
		['formats', `requestJson is not valid JSON: Unexpected token 'o', "formats" is not valid JSON`],
		['[1]', 'requestJson must be a JSON object'],
		[[{ query: 'a' }], 'requestJson must be a JSON object'],
		['"text"', 'requestJson must be a JSON object'],
		[7, 'requestJson must be a JSON object'],
		[{ limit: 'many' }, 'limit must be a whole number, not many'],
		[{ tags: [{}] }, 'tags 0 is required'],
	])('is checked like the fields: %j', (requestJson, words) => {
		expect(refusals(schema, { ...stored, requestJson })).toEqual([words]);
	});

	it.each(['{"__proto__": {"limit": 1}}', { requestJson: '{}' }])(
		'has no member that is none of a request: %j',
		(requestJson) => {
			const { success, error } = schema.safeParse({ ...stored, requestJson });
			expect(success).toBe(false);
			expect(error?.issues[0].code).toBe('unrecognized_keys');
			expect(({} as { limit?: number }).limit).toBeUndefined();
		},
	);

	it.each<[string, object, object]>([
		['at the top', { lang: 'de', limit: 3 }, { ...read, limit: 3, lang: 'de' }],
		[
			'inside an object',
			{ place: { city: 'Kiel', radius: 5 } },
			{ ...read, place: { country: 'DE', city: 'Kiel', radius: 5 } },
		],
		[
			'at several depths',
			{ deep: { a: [1, null] }, place: { radius: 5 } },
			{ ...read, deep: { a: [1, null] }, place: { country: 'DE', radius: 5 } },
		],
	])('passes members that it does not know, %s', (_, requestJson, sent) => {
		for (const given of [requestJson, JSON.stringify(requestJson)]) {
			const body = accepted(schema, { ...stored, requestJson: given });
			expect(body).toEqual(sent);
		}
	});

	it('checks what it knows beside what it does not know', () => {
		const requestJson = { lang: 'de', limit: 'many', place: { radius: 5, city: [] } };
		expect(refusals(schema, { ...stored, requestJson })).toEqual([
			'limit must be a whole number, not many',
			'place city must be text, not a list',
		]);
	});

	it('refuses members of the fields that it does not know', () => {
		const given = { ...stored, lang: 'de', requestJson: { other: 1 } };
		expect(schema.safeParse(given).error?.issues).toMatchObject([
			{ code: 'unrecognized_keys', keys: ['lang'] },
		]);
	});

	it('leaves what the user stored as it was', () => {
		const given = {
			...structuredClone(stored),
			requestJson: { place: { city: 'Kiel' }, tags: [] },
		};
		const before = structuredClone(given);
		accepted(schema, given);
		expect(given).toEqual(before);
	});
});

describe('the request of a search as JSON', () => {
	const sent = (requestJson: unknown, parameters: Record<string, unknown> = {}) =>
		searchBody({ ...parameters, additionalFields: { requestJson } });

	it.each<[string, object, object]>([
		[
			'of a format',
			{ scrapeOptions: { formats: ['markdown', { type: 'question', question: 'q', depth: 2 }] } },
			{
				scrapeOptions: {
					formats: [{ type: 'markdown' }, { type: 'question', question: 'q', depth: 2 }],
				},
			},
		],
		[
			'of a format that has none of its own',
			{ scrapeOptions: { formats: [{ type: 'links', unique: true }] } },
			{ scrapeOptions: { formats: [{ type: 'links', unique: true }] } },
		],
		[
			'of a group that is otherwise empty, and of one that is a switch',
			{ scrapeOptions: { location: { city: 'Kiel' }, redactPII: { strength: 3 } } },
			{ scrapeOptions: { location: { city: 'Kiel' }, redactPII: { strength: 3 } } },
		],
		[
			'of a source, beside sources that were words',
			{ sources: ['news', { type: 'images', size: 'large' }] },
			{ sources: [{ type: 'news' }, { type: 'images', size: 'large' }] },
		],
		[
			'of a threat list',
			{ threatProtection: { mode: 'normal', audit: { level: 'high' } } },
			{ threatProtection: { mode: 'normal', audit: { level: 'high' } } },
		],
	])('may have unknown members %s', (_, requestJson, body) => {
		expect(sent(requestJson)).toMatchObject(body);
	});

	it.each<[string, object, object]>([
		[
			'formats as words',
			{ scrapeOptions: { formats: ['markdown'] } },
			{ scrapeOptions: { formats: [{ type: 'markdown' }] } },
		],
		[
			'formats as objects',
			{
				scrapeOptions: {
					formats: [{ type: 'json', prompt: 'p', schema: { type: 'object', properties: {} } }],
				},
			},
			{
				scrapeOptions: {
					formats: [{ type: 'json', prompt: 'p', schema: { type: 'object', properties: {} } }],
				},
			},
		],
		[
			'actions',
			{
				scrapeOptions: {
					actions: [
						{ type: 'wait', milliseconds: 5 },
						{ type: 'click', selector: 'a', all: true },
					],
				},
			},
			{
				scrapeOptions: {
					actions: [
						{ type: 'wait', milliseconds: 5 },
						{ type: 'click', selector: 'a', all: true },
					],
				},
			},
		],
		['redaction', { scrapeOptions: { redactPII: true } }, { scrapeOptions: { redactPII: true } }],
		['no parsers', { scrapeOptions: { parsers: [] } }, { scrapeOptions: { parsers: [] } }],
		[
			'headers',
			{ scrapeOptions: { headers: { A: 'b' } } },
			{ scrapeOptions: { headers: { A: 'b' } } },
		],
		['sources as words', { sources: ['web', 'news'] }, { sources: ['web', 'news'] }],
		[
			'sources as objects',
			{ sources: [{ type: 'web', tbs: 'qdr:w' }] },
			{ sources: [{ type: 'web', tbs: 'qdr:w' }] },
		],
		['categories', { categories: [{ type: 'pdf' }] }, { categories: [{ type: 'pdf' }] }],
		['a time filter', { tbs: 'sbd:1' }, { tbs: 'sbd:1' }],
		['a limit', { limit: 3 }, { limit: 3 }],
	])('takes %s', (_, requestJson, members) => {
		expect(sent(requestJson)).toEqual({ query: 'tides', ...members });
	});

	it('goes before the fields, and beside those that it does not name', () => {
		expect(
			sent(
				{ limit: 3, sources: ['news'], scrapeOptions: { formats: ['links'] } },
				{
					returnAll: true,
					sources: { values: [{ type: 'web' }] },
					scrapeResults: true,
					formats: ['html'],
					scrapeOptions: { mobile: true },
				},
			),
		).toEqual({
			query: 'tides',
			limit: 3,
			sources: ['news'],
			scrapeOptions: { formats: [{ type: 'links' }], mobile: true },
		});
	});

	it('is refused by the names of the fields', () => {
		const refusal = (requestJson: unknown) => searchRefusal({ additionalFields: { requestJson } });
		expect(refusal('{"a"')).toMatch(
			/^'Request \(JSON\)' is not valid JSON: Expected ':' after property name/,
		);
		expect(refusal({ scrapeOptions: { formats: ['markdown', { type: 'json' }] } })).toBe(
			`'Formats > entry 2 > prompt' is required where there is no schema`,
		);
	});
});

const agentRequest = operationOf(agent, 'start');

describe('the request of an agent as JSON', () => {
	const schema = { type: 'object', properties: { price: { type: 'number' } } };
	const sent = (parameters: Record<string, unknown>, requestJson: unknown) =>
		accepted(
			agentRequest.schema,
			agentRequest.read({ prompt: 'p', ...parameters, additionalFields: { requestJson } }),
		);

	it.each<[string, Record<string, unknown>]>([
		['untouched', { schemaType: 'schema', schema: '{}' }],
		['filled', { schemaType: 'schema', schema: '{"type": "array"}' }],
		['filled by an expression', { schemaType: 'schema', schema: { required: ['name'] } }],
		['an example left empty', { schemaType: 'example', schemaExample: '{}' }],
		['an example', { schemaType: 'example', schemaExample: '{"name": "x"}' }],
	])('gives its schema in the place of the field, which is %s', (_, parameters) => {
		expect(sent(parameters, { schema })).toEqual({ prompt: 'p', schema });
	});

	it('takes addresses, webhook and what has no field as the API has them', () => {
		const members = {
			urls: ['https://a.example'],
			webhook: { url: 'https://b.example/hook', events: ['completed'] },
			exchange: { enabled: false },
		};
		expect(sent({}, members)).toEqual({ prompt: 'p', ...members });
	});
});
