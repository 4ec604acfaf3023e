import {
	booleanSchema,
	integerSchema,
	listSchema,
	objectSchema,
	stringSchema,
} from '../../../../nodes/runtime/form/schema';
import { query as search } from '../../../../nodes/WebData/resources/search';
import {
	requestJson as field,
	withRequestJson,
} from '../../../../nodes/WebData/fields/requestJson';
import type { Operation } from '../../../../nodes/runtime/operation';
import { requestOf } from '../../calls.cjs';
import {
	accepted,
	reads,
	refusalOf,
	type Accepted,
	type Refused,
} from '../../schemaAssertions.cjs';

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
const noJson = 'requestJson is not valid JSON:';

/** The request that some JSON makes of what is stored. */
const made = (requestJson: unknown, sent: object): Accepted => [{ ...stored, requestJson }, sent];
const refused = (requestJson: unknown, ...words: string[]): Refused => [
	{ ...stored, requestJson },
	...words,
];
const overrides: Array<[object, object]> = [
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
];

reads(
	'the request as JSON',
	schema,
	[
		...[undefined, null, '', '  {} ', '{}', {}, field.property?.default].map((nothing) =>
			made(nothing, read),
		),
		...overrides.map(([given, sent]) => made(given, sent)),
		...overrides.map(([given, sent]) => made(JSON.stringify(given), sent)),
		made('{"__proto__": {"limit": 1}}', read),
		// All of the request.
		[
			{ query: '', requestJson: { query: 'ebb', safe: true } },
			{ query: 'ebb', safe: true },
		],
	],
	[
		refused('{"query": ', `${noJson} Unexpected end of JSON input`),
		refused('formats', `${noJson} Unexpected token 'o', "formats" is not valid JSON`),
		refused('[1]', 'requestJson must be a JSON object'),
		refused([{ query: 'a' }], 'requestJson must be a JSON object'),
		refused(7, 'requestJson must be a JSON object'),
		refused({ tags: [{}] }, 'tags 0 is required'),
		refused({ requestJson: '{}' }, `has no field 'requestJson'`),
		refused(
			{ lang: 'de', limit: 'many', place: { radius: 5, city: [] } },
			'limit must be a whole number, not many',
			'place city must be text, not a list',
		),
	],
);

it('the request as JSON leaves what the user stored as it was', () => {
	const given = { ...stored, requestJson: { place: { city: 'Kiel' }, tags: [] } };
	const before = structuredClone(given);
	accepted(schema, given);
	expect(given).toEqual(before);
});

describe('the request of a search as JSON', () => {
	const sent = (requestJson: unknown, parameters: Record<string, unknown> = {}) => {
		const { additionalFields, ...rest } = parameters;
		const all = {
			query: 'tides',
			...rest,
			additionalFields: { ...Object(additionalFields), requestJson },
		};
		return JSON.parse(JSON.stringify(requestOf(search as Operation, all))) as unknown;
	};
	const scraped = (scrapeOptions: object) => ({ scrapeOptions });
	const questioned = { type: 'question', question: 'q', depth: 2 };
	const large = { type: 'images', size: 'large' };

	it.each<[object, object?]>([
		// With members that no field has.
		[
			scraped({ formats: ['markdown', questioned] }),
			scraped({ formats: [{ type: 'markdown' }, questioned] }),
		],
		[scraped({ formats: [{ type: 'links', unique: true }] })],
		[scraped({ location: { city: 'Kiel' }, redactPII: { strength: 3 } })],
		[{ sources: ['news', large] }, { sources: [{ type: 'news' }, large] }],
		[{ threatProtection: { mode: 'normal', audit: { level: 'high' } } }],
		// With those that a field has, in the API's own shape.
		[scraped({ formats: [{ type: 'json', prompt: 'p', schema: { type: 'object' } }] })],
		[scraped({ actions: [{ type: 'click', selector: 'a', all: true }] })],
		[scraped({ parsers: [], headers: { A: 'b' }, redactPII: true })],
		[{ sources: ['web', 'news'], categories: [{ type: 'pdf' }], tbs: 'sbd:1', limit: 3 }],
		// The service reads a source's filters at the top level only.
		[
			{ sources: [{ type: 'web', tbs: 'qdr:w', location: 'Kiel' }], tbs: 'qdr:d' },
			{
				sources: [{ type: 'web', tbs: 'qdr:w', location: 'Kiel' }],
				tbs: 'qdr:d',
				location: 'Kiel',
			},
		],
		// With those that a scrape has, too.
		[{ location: 'Kiel', timeout: 5000 }],
	])('%j', (requestJson, members = requestJson) => {
		expect(sent(requestJson)).toEqual({ query: 'tides', ...members });
	});

	it('goes before the fields, and beside those that it does not name', () => {
		const requestJson = { limit: 3, sources: ['news'], ...scraped({ formats: ['links'] }) };
		const parameters = {
			returnAll: true,
			additionalFields: { sources: { values: [{ type: 'web' }] } },
			scrapeResults: true,
			formats: ['html'],
			scrapeOptions: { mobile: true },
		};
		expect(sent(requestJson, parameters)).toEqual({
			query: 'tides',
			limit: 3,
			sources: ['news'],
			...scraped({ formats: [{ type: 'links' }], mobile: true }),
		});
	});

	it.each<[unknown, RegExp]>([
		['{"a"', /^'Request \(JSON\)' is not valid JSON: Expected ':' after property name/],
		[
			scraped({ formats: ['markdown', { type: 'json' }] }),
			/^'Formats > entry 2 > prompt' is required without an example or a schema$/,
		],
	])('is refused by the names of the fields: %j', (requestJson, words) => {
		const parameters = { query: 'tides', additionalFields: { requestJson } };
		expect(refusalOf(search as Operation, parameters)).toMatch(words);
	});
});
