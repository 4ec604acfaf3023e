import * as fc from 'fast-check';
import {
	cutText,
	nearest,
	parseUrl,
	trimEnd,
	withoutSlashes,
} from '../../../../nodes/runtime/values/text';
import { propertySeed } from '../../../seededRandom.cjs';

const mark = (missing: number) => `[${missing} more]`;

describe('A truncated text', () => {
	it('is unchanged if it is short enough', () => {
		expect(cutText('tides', 5, mark)).toBe('tides');
		expect(cutText('', 1, mark)).toBe('');
	});

	it('reports how much is missing', () => {
		expect(cutText('high tide', 4, mark)).toBe('high\n\n[5 more]');
	});

	it('has no half of a surrogate pair', () => {
		expect(cutText('🌊🌊', 3, mark)).toBe('🌊\n\n[2 more]');
		expect(cutText('🌊🌊', 1, mark)).toBe('\n\n[4 more]');
		fc.assert(
			fc.property(
				fc.string({ unit: 'grapheme', minLength: 2 }),
				fc.integer({ min: 1, max: 30 }),
				(text, max) => {
					const cut = cutText(text, max, mark);
					expect(Buffer.from(cut).toString()).toBe(cut);
				},
			),
			{ seed: propertySeed },
		);
	});
});

it.each([
	['markdwon', 'markdown'],
	['Summary', 'summary'],
	['rawHTML', 'rawHtml'],
	['htm', 'html'],
	['text', undefined],
	['', undefined],
	['x'.repeat(1_000_000), undefined],
])('%j is nearest to %j of the choices', (given, choice) => {
	expect(nearest(given, ['html', 'markdown', 'rawHtml', 'summary', 'links'])).toBe(choice);
});

it.each([
	['', ''],
	['/', ''],
	['//', ''],
	['/a', '/a'],
	['/a/b///', '/a/b'],
])('trims %j without trailing slashes to %j', (path, expected) => {
	expect(withoutSlashes(path)).toBe(expected);
});

it('checks each removed character once, and one more', () => {
	let asked = 0;
	const isDropped = (character: string) => {
		asked += 1;
		return character === '.';
	};
	expect(trimEnd(`${'.'.repeat(1000)}x${'.'.repeat(1000)}`, isDropped)).toBe(
		`${'.'.repeat(1000)}x`,
	);
	expect(asked).toBe(1001);
});
describe('A URL', () => {
	it('is parsed', () => {
		expect(parseUrl('https://example.com:8080/a?b')?.host).toBe('example.com:8080');
		expect(parseUrl('/a', 'https://example.com')?.href).toBe('https://example.com/a');
	});

	it.each(['', 'example', 'https://', 'http://exa mple'])('is invalid: %j', (text) => {
		expect(parseUrl(text)).toBeUndefined();
	});

	// Node 20's URL.canParse turns this down as soon as the call is hot.
	it('is valid with letters beyond ASCII, at every call', () => {
		const hosts = Array.from({ length: 50_000 }, () => parseUrl('https://müller.example/ä')?.host);

		expect(new Set(hosts)).toEqual(new Set(['xn--mller-kva.example']));
	});
});
