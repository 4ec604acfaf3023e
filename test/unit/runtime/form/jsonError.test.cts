import * as fc from 'fast-check';
import {
	objectSchema,
	jsonObject,
	listSchema,
	stringSchema,
	stringRecord,
} from '../../../../nodes/runtime/form/schema';
import { explainJsonError } from '../../../../nodes/runtime/form/jsonError';
import { accepted, refusals } from '../../schemaAssertions.cjs';
import { propertySeed } from '../../../seededRandom.cjs';

/** The explanation in short: line:column cause. */
const explained = (text: string) =>
	explainJsonError(text)?.replace(/^line (\d+), column (\d+):/, '$1:$2');

describe('explainJsonError', () => {
	it.each<[string, string]>([
		['[1, 2, ]', '1:6 nothing follows this comma; remove it'],
		['{\n  "a": 1,\n}', '2:9 nothing follows this comma; remove it'],
		['[1, }', '1:3 nothing follows this comma; remove it'],
		["{'a': 1}", `1:2 text and names need straight double quotes ("), not '`],
		['{"a": \'b\'}', `1:7 text and names need straight double quotes ("), not '`],
		['```json\n{}\n```', '1:1 text and names need straight double quotes ("), not `'],
		['{“a”: 1}', '1:2 text and names need straight double quotes ("), not “'],
		['{price: 1}', '1:2 the name price needs double quotes'],
		['{"a": 1,\r\n\tb: 2}', '2:2 the name b needs double quotes'],
		['{1: 2}', '1:2 the name 1 needs double quotes'],
		['{"a": 1 // one\n}', '1:9 JSON does not support comments; remove this one'],
		['{\n/* one */ "a": 1}', '2:1 JSON does not support comments; remove this one'],
		['# one\n{}', '1:1 JSON does not support comments; remove this one'],
		['{"a": None}', '1:7 JSON has true, false and null, not None'],
		['[True]', '1:2 JSON has true, false and null, not True'],
		['[undefined]', '1:2 JSON has true, false and null, not undefined'],
		['[nil]', '1:2 JSON has true, false and null, not nil'],
		['{"a": Mug}', '1:7 the text Mug needs double quotes'],
		['{"a": mug2}', '1:7 the text mug2 needs double quotes'],
		['{"a": [object Object]}', '1:8 an expression inserted an object; use JSON.stringify() in it'],
		['[object Object]', '1:2 an expression inserted an object; use JSON.stringify() in it'],
		['{"a": 2026-01-31}', '1:7 2026-01-31 is not a JSON number; text needs double quotes'],
		['[.5]', '1:2 .5 is not a JSON number; text needs double quotes'],
		['[007]', '1:2 007 is not a JSON number; text needs double quotes'],
		['{"a": 1\n "b": 2}', `2:2 a comma is missing before this '"'`],
		['[{} {}]', "1:5 a comma is missing before this '{'"],
		['[1 2]', "1:4 a comma is missing before this '2'"],
		['{"a": "5" mug"}', '1:11 a comma is missing, or a \\ before the quote in the text before'],
		['{"a" = 1}', "1:6 a ':' is missing after the name"],
		['["a": 1]', '1:5 a list has no names; an object is in { }'],
		['{"a": [1}', '1:9 a bracket is missing before this one'],
		['[{"a": 1]', '1:9 a bracket is missing before this one'],
		['{"a": 1', '1:8 a closing bracket is missing at the end'],
		['[1', '1:3 a closing bracket is missing at the end'],
		['{"a":', '1:6 the text ends before the JSON does'],
		['  ', '1:3 the text ends before the JSON does'],
		['{"a": "b}', '1:10 the last text has no closing quote'],
		['{"a": }', "1:7 '}' is not expected here"],
		['[1,,2]', "1:4 ',' is not expected here"],
		['[😀]', "1:2 '😀' is not expected here"],
		['{} {}', '1:4 more text follows after the end of the JSON'],
		[
			'{"a": "b\nc"}',
			'1:9 a line break in a text is \\n, a tab \\t; or a closing quote is missing',
		],
		['["a\tb"]', '1:4 a line break in a text is \\n, a tab \\t; or a closing quote is missing'],
		['["C:\\Users"]', '1:6 in a text, a backslash is written twice: \\\\'],
		['{\u00a0"a": 1}', '1:2 JSON does not support this whitespace; use a plain space'],
		['\ufeff{}', '1:1 JSON does not support this whitespace; use a plain space'],
		['Mug and more', '1:1 JSON begins with { or [, not with Mug'],
		['[1,\r2,\n3,\r\nx]', '4:1 the text x needs double quotes'],
	])('explains %j: %s', (text, explanation) => {
		expect(explained(text)).toBe(explanation);
	});

	/** Texts that are nearly JSON, or made of its signs. */
	const pieces = [...'{}[]:,"\'“”\\/# \n\t-+.0123eEx', '"a"', '{"a":1}', 'true', '1.5', '\u00a0'];
	const texts = fc.oneof(
		fc
			.tuple(fc.json(), fc.nat(), fc.nat({ max: 2 }), fc.constantFrom(...pieces))
			.map(([json, place, length, piece]) => {
				const at = place % (json.length + 1);
				return json.slice(0, at) + piece + json.slice(at + length);
			}),
		fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join('')),
		fc.json(),
	);
	const isJson = (text: string) => {
		try {
			JSON.parse(text);
			return true;
		} catch {
			return false;
		}
	};

	it('explains each text that JSON.parse refuses, at a place in it, and no other', () => {
		fc.assert(
			fc.property(texts, (text) => {
				const explanation = explainJsonError(text);
				expect(explanation === undefined).toBe(isJson(text));
				if (explanation === undefined) return;
				const [, line, column] = /^line (\d+), column (\d+): \S/.exec(explanation) ?? [];
				const lines = text.split(/\r\n|\n|\r/);
				expect(Number(column)).toBeLessThanOrEqual(lines[Number(line) - 1].length + 1);
			}),
			{ seed: propertySeed, numRuns: 5_000 },
		);
	});

	it('finds an unexpected token whose surroundings occur before it, too', () => {
		const lines = '"a",\n'.repeat(20_000);
		expect(explained(`[${lines}"a",\n],\n${lines}]`)).toBe(
			'20001:4 nothing follows this comma; remove it',
		);
		expect(explained(`[[${lines}1], [${lines}mug]]`)).toBe(
			'40001:1 the text mug needs double quotes',
		);
	});

	it('explains deep text', () => {
		expect(explained('['.repeat(300_000))).toBe('1:300001 the text ends before the JSON does');
	});
});

describe('a JSON field with text that is no JSON', () => {
	it('is refused with line, column and cause', () => {
		expect(refusals(jsonObject(), '{\n  "limit": 3,\n}')).toEqual([
			'is not valid JSON at line 2, column 13: nothing follows this comma; remove it',
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
			'is not valid JSON at line 1, column 10: a closing bracket is missing at the end',
		]);
		expect(refusals(schema, 'a, b')).toEqual([expect.stringMatching(/^must be an object/)]);
	});
});
