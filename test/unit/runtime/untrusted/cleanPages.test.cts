import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jsonParse } from 'n8n-workflow';
import { cleaned, cleanedText } from '../../../../nodes/runtime/untrusted/cleaned';
import { projectRoot } from '../../../root.cjs';
import { documentFormat } from '../../../../nodes/WebData/documents/documentFormat';

const { htmlTexts } = documentFormat;

const read = (file: string): string => readFileSync(file, 'utf8');

const manifest = jsonParse<{ devDependencies: Record<string, string> }>(
	read(join(projectRoot, 'package.json')),
);

/** The READMEs of the packages that the project names. */
const readmes = Object.keys(manifest.devDependencies)
	.map((name) => join(projectRoot, 'node_modules', name, 'README.md'))
	.filter((file) => existsSync(file));

const manual = join(dirname(require.resolve('fastify')), 'docs');

/** The documentation that fastify brings, page by page. */
const manualPages = readdirSync(manual, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.md'))
	.map((file) => join(manual, file));

/** Signs of what is taken out, looked for without the code under test. */
const signs = [
	'<!--',
	'data:',
	'display:none',
	'display: none',
	' hidden',
	'<script',
	'<style',
	'<template',
	'pixel',
	'\u00ad',
	'\u200b',
	'\u200e',
	'\u200f',
	'\ufe0f',
	'\ufeff',
];

const isClean = (text: string): boolean => !signs.some((sign) => text.includes(sign));

const pages = [...manualPages, ...readmes].filter((file) => isClean(read(file)));

it('are 40 and more', () => {
	expect(pages.length).toBeGreaterThanOrEqual(40);
});

it.each(pages.map((file) => [file.slice(projectRoot.length), file]))(
	'%s stays as it is',
	(_name, file) => {
		const markdown = read(file);
		expect(cleanedText(markdown)).toBe(markdown);
		expect(cleaned({ markdown, title: 'A', links: ['b', 1, null] }, htmlTexts)).toEqual({
			markdown,
			title: 'A',
			links: ['b', 1, null],
		});
	},
);

describe('what a reader sees stays', () => {
	it.each([
		[
			'a comment in a fence of code',
			'```html\n<!-- shown -->\n<div hidden>shown</div>\n```\n\nEnd.',
		],
		['a comment in a span of code', 'Write `<!-- shown -->` or ``<b hidden>`` there.'],
		['a fence in tildes with backticks', '~~~\n```\n<!-- shown -->\n~~~\n\nEnd.'],
		['an escaped comment', 'Write \\<!-- shown --> there.'],
		['emoji of several parts', 'A family 👩‍👩‍👧 and ❤️ and 🏳️‍🌈 and 1️⃣.'],
		['Persian with a non-joiner', 'می‌خواهم'],
		['Hindi with a joiner', 'क्‍ष'],
		['emoji with a colour of skin', '👩🏽‍🚀 and 🧑🏿‍🤝‍🧑🏻 and #️⃣'],
		['an image with words', '![A pixel of the sea](https://a.example/sea.png?width=1)'],
		['a badge', '[![npm](https://img.example/npm/v/a.svg)](https://npm.example/a)'],
		['generics and comparisons', 'Map<string, number> where a < b and c > d'],
		['an element', '<details><summary>More</summary>Tides</details>'],
		['a size of letters', '<p style="font-size:0.9em; opacity: 0.5; left: -10px">Tides</p>'],
		['a reference', '[a]: https://a.example "Title"'],
		['a tag without an end', 'a <b and c'],
	])('%s', (_name, text) => {
		expect(cleanedText(text)).toBe(text);
	});
});

describe('what nobody sees goes', () => {
	it.each([
		['around a comment', 'a <!-- b --> c', 'a  c'],
		['between words', 'a\u200bb\u00adc\u202ed', 'abcd'],
		['a second selector', '✔\ufe0f\ufe0f', '✔\ufe0f'],
		['a joiner between Latin letters', 'a\u200db', 'ab'],
		['a joiner between digits', '1\u200d2\u200d3', '123'],
		['a joiner between Persian digits', '۱\u200d۲', '۱۲'],
		['a joiner between Hindi digits', '१\u200c२', '१२'],
		['a joiner between a digit and an emoji', '1\u200d🌊 and 🌊\u200d1', '1🌊 and 🌊1'],
		['selectors behind digits', '1\ufe0e2\ufe0f#\ufe0f', '12#'],
		['controls but line breaks', 'a\u0007b\tc\r\nd\u001b[1m', 'ab\tc\r\nd[1m'],
		['an embedded image but its words', '![Sea](data:image/png;base64,AAAA) b', '![Sea]() b'],
		['a link with embedded data', '[a](data:text/html,x) b', '[a]() b'],
		['a whole value', 'data:image/png;base64,AAAA', '[embedded data left out]'],
	])('%s', (_name, text, rest) => {
		expect(cleanedText(text)).toBe(rest);
	});

	it('in the names of members too, and none is lost', () => {
		const result = { 'a\u200b': 1, a: 2, html: '<p hidden>x</p>y', b: [{ html: '<!-- x -->' }] };
		const rest = { a: 1, 'a (2)': 2, html: 'y', b: [{ html: '' }] };
		expect(cleaned(result, htmlTexts)).toEqual(rest);
	});

	it('in names of which any number are the same then, and all values stay', () => {
		const names = [
			'a (2)',
			...['', '\u200b', '\u200c', '\u200d'].map((sign) => `a${sign}`),
			'a (4)',
		];
		const result = Object.fromEntries(names.map((name, index) => [name, index]));
		const rest = Object.values(cleaned(result, htmlTexts));
		expect(rest.sort()).toEqual([0, 1, 2, 3, 4, 5]);
	});

	it('in names of which very many are the same then, in linear time', () => {
		const names = Array.from({ length: 100_000 }, (_, index) =>
			[...index.toString(2)].map((bit) => (bit === '0' ? '\u200b' : '\u200c')).join(''),
		);
		const result = Object.fromEntries(names.map((name) => [`a${name}`, 1]));
		expect(Object.keys(cleaned(result, htmlTexts))).toHaveLength(100_000);
	});

	it.each([
		['comments', '<!-- '],
		['tags', '<div '],
		['hidden elements', '<div hidden>'],
		['backticks', '`a``b'],
		['addresses', '](data:'],
		['brackets', '['],
		['quotes', '<p a="'],
		['ends', '</div>'],
	])('in a time that grows with the text: %s', (_name, part) => {
		// A square of this would take minutes: the test's own limit of time is what fails.
		expect(cleanedText(part.repeat(200_000)).length).toBeLessThanOrEqual(part.length * 200_000);
	});
});
