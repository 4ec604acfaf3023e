import * as fc from 'fast-check';
import {
	objectSchema,
	jsonObject,
	listSchema,
	stringSchema,
	stringRecord,
} from '../../../../nodes/runtime/form/schema';
import { faultOfJson } from '../../../../nodes/runtime/form/jsonFault';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const told = (text: string) => {
	const fault = faultOfJson(text);
	return fault && `${fault.line}:${fault.column} ${fault.cause}`;
};

describe('what is wrong with text that is no JSON', () => {
	it.each<[string, string]>([
		['[1, 2, ]', '1:6 nothing follows this comma; take it out'],
		['{\n  "a": 1,\n}', '2:9 nothing follows this comma; take it out'],
		["{'a': 1}", '1:2 text and names need double quotes ("), not single ones'],
		['{"a": \'b\'}', '1:7 text and names need double quotes ("), not single ones'],
		['```json\n{}\n```', '1:1 text and names need double quotes ("), not backticks'],
		['{price: 1}', '1:2 the name price needs double quotes'],
		['{"a": 1,\r\n\tb: 2}', '2:2 the name b needs double quotes'],
		['{“a”: 1}', '1:2 text needs straight double quotes ("), not the typographic “'],
		['{"a": "b”}', '1:9 text needs straight double quotes ("), not the typographic ”'],
		['{"a": 1 // one\n}', '1:9 JSON has no comments; take this one out'],
		['{\n/* one */ "a": 1}', '2:1 JSON has no comments; take this one out'],
		['# one\n{}', '1:1 JSON has no comments; take this one out'],
		['{"a": None}', '1:7 JSON writes null, not None'],
		['[True]', '1:2 JSON writes true, not True'],
		['[undefined]', '1:2 JSON writes null, not undefined'],
		['{"a": Mug}', '1:7 the text Mug needs double quotes'],
		['[constructor]', '1:2 the text constructor needs double quotes'],
		[
			'{"a": [object Object]}',
			'1:8 an expression put an object into the text; use JSON.stringify() in it',
		],
		['{"a": 2026-01-31}', '1:7 2026-01-31 is no number of JSON; as text it needs double quotes'],
		['[.5]', '1:2 .5 is no number of JSON; as text it needs double quotes'],
		['[007]', '1:2 007 is no number of JSON; as text it needs double quotes'],
		['[-]', '1:2 - is no number of JSON; as text it needs double quotes'],
		['{"a": 1\n "b": 2}', `2:2 a comma is missing before this '"'`],
		['[{} {}]', "1:5 a comma is missing before this '{'"],
		[
			'{"a": "5" mug"}',
			'1:11 a comma is missing before this, or a quote inside the text before needs a backslash: \\"',
		],
		['{"a" 1}', "1:6 a ':' is missing after the name"],
		['{"a" = 1}', "1:6 a ':' is missing after the name"],
		['["a": 1]', '1:5 a list has no names; an object is in { }'],
		['{"a": [1}', "1:9 a ']' is missing before this '}'"],
		['{]', "1:2 a '}' is missing before this ']'"],
		['{"a": 1', "1:8 a '}' is missing at the end"],
		['[1,', "1:4 a ']' is missing at the end"],
		['{"a":', "1:6 a '}' is missing at the end"],
		['{"a"', "1:5 the text ends where a ':' is expected"],
		['{"a": }', "1:7 a value is expected, not '}'"],
		['[1,,2]', "1:4 a value is expected, not ','"],
		['[1, }', '1:3 nothing follows this comma; take it out'],
		['{"a": 1, "b": ]', "1:15 a value is expected, not ']'"],
		['{,}', "1:2 a name in double quotes is expected, not ','"],
		['{1: 2}', '1:2 the name 1 needs double quotes'],
		['{} {}', '1:4 more text follows after the end of the JSON'],
		['{}}', '1:3 more text follows after the end of the JSON'],
		['{"a": "b}', '1:7 the text that begins here has no closing quote'],
		[
			'{"a": "b\nc"}',
			'1:7 the text that begins here has no closing quote in its line; a line break inside a text is written \\n',
		],
		['["a\tb"]', '1:4 U+0009 inside a text is written as \\t'],
		['["\u0001"]', '1:3 U+0001 inside a text is written as an escape such as \\u001f'],
		['["C:\\Users"]', '1:5 a backslash inside a text is written twice: \\\\'],
		['["\\u12"]', '1:3 a backslash inside a text is written twice: \\\\'],
		['{\u00a0"a": 1}', '1:2 U+00A0 is a space that JSON does not know; use a plain one'],
		['\ufeff{}', '1:1 U+FEFF is a space that JSON does not know; use a plain one'],
		['Mug and more', '1:1 JSON begins with { or [, not with Mug'],
		['  ', '1:3 there is no value'],
		['[😀]', "1:2 a value is expected, not '😀'"],
		['[1,\r2,\n3,\r\nx]', '4:1 the text x needs double quotes'],
	])('%j: %s', (text, words) => {
		expect(() => {
			JSON.parse(text);
		}).toThrow();
		expect(told(text)).toBe(words);
	});

	it('quotes the begin of a long word', () => {
		expect(told(`[${'x'.repeat(500_000)}]`)).toBe(
			`1:2 the text ${'x'.repeat(40)}… needs double quotes`,
		);
	});

	it('is nothing where there is JSON', () => {
		fc.assert(
			fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, space) => {
				expect(faultOfJson(json)).toBeUndefined();
				expect(faultOfJson(JSON.stringify(JSON.parse(json), null, space))).toBeUndefined();
			}),
		);
	});

	it('is found in all text that JSON.parse refuses, and in no other', () => {
		const pieces = [
			...'{}[]:,"\'“”\\/# \n\t-+.0123eEx',
			'"a"',
			'{"a":1}',
			'[]',
			'true',
			'null',
			'1.5',
			'\\u00e9',
			'\u00a0',
			'//',
		];
		const nearly = fc
			.tuple(fc.json(), fc.nat(), fc.nat({ max: 2 }), fc.constantFrom(...pieces))
			.map(([json, place, length, piece]) => {
				const at = place % (json.length + 1);
				return json.slice(0, at) + piece + json.slice(at + length);
			});
		const mixed = fc
			.array(fc.constantFrom(...pieces), { maxLength: 12 })
			.map((all) => all.join(''));
		const isJson = (text: string) => {
			try {
				JSON.parse(text);
				return true;
			} catch {
				return false;
			}
		};
		fc.assert(
			fc.property(fc.oneof(nearly, mixed, fc.string()), (text) => {
				const fault = faultOfJson(text);
				expect(fault === undefined).toBe(isJson(text));
				if (fault === undefined) return;
				const line = text.split(/\r\n|\n|\r/)[fault.line - 1];
				expect(fault.column).toBeLessThanOrEqual(line.length + 1);
				expect(fault.cause).not.toBe('');
			}),
			{ numRuns: 5_000 },
		);
	});

	it('is found in long text as in short, and deep inside', () => {
		const deep = '['.repeat(300_000);
		expect(told(deep)).toBe("1:300001 a ']' is missing at the end");
		expect(told(`[${'"a\\n",\n'.repeat(200_000)}`)).toBe("200001:1 a ']' is missing at the end");
	});
});

describe('a JSON field with text that is no JSON', () => {
	it('is refused with line, column and cause', () => {
		expect(refusals(jsonObject(), '{\n  "limit": 3,\n}')).toEqual([
			'is not valid JSON at line 2, column 13: nothing follows this comma; take it out',
		]);
	});

	it('is refused so as a list of objects, and not separated at its commas', () => {
		expect(refusals(listSchema(objectSchema({})), '[{"a": 1}, {b: 2}]')).toEqual([
			'is not valid JSON at line 1, column 13: the name b needs double quotes',
		]);
		expect(accepted(listSchema(stringSchema()), '[{(].*, [a-z]')).toEqual(['[{(].*', '[a-z]']);
	});

	it.each([
		['fields', objectSchema({})],
		['names and texts', stringRecord()],
	])('is refused so, too, where an object may be text: %s', (_, schema) => {
		expect(refusals(schema, '{"a": "b"')).toEqual([
			"is not valid JSON at line 1, column 10: a '}' is missing at the end",
		]);
		expect(refusals(schema, 'a, b')).toEqual([expect.stringMatching(/^must be an object/)]);
	});
});
