import {
	booleanSchema,
	integerSchema,
	listSchema,
	objectSchema,
	stringSchema,
} from '../../../../nodes/runtime/form/schema';
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

	it.each<[object, object]>([
		[{ query: 'ebb' }, { ...read, query: 'ebb' }],
		[
			{ limit: 0, safe: undefined },
			{ ...read, limit: 0 },
		],
		[{ safe: false }, { ...read, safe: false }],
		[{ tags: ['x', 'y'] }, { ...read, tags: ['x', 'y'] }],
		[{ tags: [] }, { ...read, tags: [] }],
		[{ place: { city: 'Kiel' } }, { ...read, place: { country: 'DE', city: 'Kiel' } }],
		[{ place: { country: 'FR' } }, { ...read, place: { country: 'FR' } }],
		[{ limit: null }, { query: 'tides', tags: ['a'], place: read.place }],
		// What no field is of.
		[
			{ lang: 'de', limit: 3 },
			{ ...read, limit: 3, lang: 'de' },
		],
		[
			{ deep: { a: [1, null] }, place: { radius: 5 } },
			{ ...read, deep: { a: [1, null] }, place: { country: 'DE', radius: 5 } },
		],
	])('goes before the fields: %j', (requestJson, sent) => {
		expect(accepted(schema, { ...stored, requestJson })).toEqual(sent);
		expect(accepted(schema, { ...stored, requestJson: JSON.stringify(requestJson) })).toEqual(sent);
	});

	it('may be all of the request', () => {
		const requestJson = { query: 'ebb', safe: true };
		expect(accepted(schema, { query: '', requestJson })).toEqual(requestJson);
	});

	it.each<[unknown, ...string[]]>([
		['{"query": ', 'requestJson is not valid JSON: Unexpected end of JSON input'],
		['formats', `requestJson is not valid JSON: Unexpected token 'o', "formats" is not valid JSON`],
		['[1]', 'requestJson must be a JSON object'],
		[[{ query: 'a' }], 'requestJson must be a JSON object'],
		[7, 'requestJson must be a JSON object'],
		[{ tags: [{}] }, 'tags 0 is required'],
		[
			{ lang: 'de', limit: 'many', place: { radius: 5, city: [] } },
			'limit must be a whole number, not many',
			'place city must be text, not a list',
		],
	])('is checked like the fields: %j', (requestJson, ...words) => {
		expect(refusals(schema, { ...stored, requestJson })).toEqual(words);
	});

	it('has no member that is none of a request', () => {
		expect(refusals(schema, { ...stored, requestJson: { requestJson: '{}' } })).toEqual([
			`has no field 'requestJson'`,
		]);
		expect(accepted(schema, { ...stored, requestJson: '{"__proto__": {"limit": 1}}' })).toEqual(
			read,
		);
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
	const scraped = (scrapeOptions: object) => ({ scrapeOptions });
	const questioned = { type: 'question', question: 'q', depth: 2 };

	it.each<[object, object?]>([
		// With members that no field has.
		[
			scraped({ formats: ['markdown', questioned] }),
			scraped({ formats: [{ type: 'markdown' }, questioned] }),
		],
		[scraped({ formats: [{ type: 'links', unique: true }] })],
		[scraped({ location: { city: 'Kiel' }, redactPII: { strength: 3 } })],
		[
			{ sources: ['news', { type: 'images', size: 'large' }] },
			{ sources: [{ type: 'news' }, { type: 'images', size: 'large' }] },
		],
		[{ threatProtection: { mode: 'normal', audit: { level: 'high' } } }],
		// With those that a field has, in the API's own shape.
		[scraped({ formats: [{ type: 'json', prompt: 'p', schema: { type: 'object' } }] })],
		[scraped({ actions: [{ type: 'click', selector: 'a', all: true }] })],
		[scraped({ parsers: [], headers: { A: 'b' }, redactPII: true })],
		[{ sources: ['web', 'news'], categories: [{ type: 'pdf' }], tbs: 'sbd:1', limit: 3 }],
		[{ sources: [{ type: 'web', tbs: 'qdr:w' }] }],
	])('%j', (requestJson, members = requestJson) => {
		expect(sent(requestJson)).toEqual({ query: 'tides', ...members });
	});

	it('goes before the fields, and beside those that it does not name', () => {
		expect(
			sent(
				{ limit: 3, sources: ['news'], scrapeOptions: { formats: ['links'] } },
				{
					returnAll: true,
					additionalFields: { sources: { values: [{ type: 'web' }] } },
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
