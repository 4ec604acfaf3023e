import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import * as cleaning from '../../../../nodes/runtime/text/cleaned';
import { Removed } from '../../../../nodes/runtime/text/removed';
import { projectRoot } from '../../../root.cjs';
import { turnsDuring } from '../../../turnsDuring.cjs';
import { documentFormat } from '../../../../nodes/WebData/documents/documentFormat';

const { htmlTexts } = documentFormat;

const cleanedText = (text: string, isHtml = false) =>
	cleaning.cleanedText(text, new Removed(), isHtml);
const cleaned = (json: IDataObject) => cleaning.cleaned(json, htmlTexts, new Removed());

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

it('has at least 40 pages', () => {
	expect(pages.length).toBeGreaterThanOrEqual(40);
});

it.each(pages.map((file) => [file.slice(projectRoot.length), file]))(
	'changes nothing in %s',
	async (_name, file) => {
		const markdown = read(file);
		expect(await cleanedText(markdown)).toBe(markdown);
		expect(await cleaned({ markdown, title: 'A', links: ['b', 1, null] })).toEqual({
			markdown,
			title: 'A',
			links: ['b', 1, null],
		});
	},
);

describe('Visible content', () => {
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
		['a comment', 'Tides. <!-- shown --> More.'],
		['a definition', '[//]: # (shown)'],
		['an element', '<details><summary>More</summary>Tides</details>'],
		['a size of letters', '<p style="font-size:0.9em; opacity: 0.5; left: -10px">Tides</p>'],
		['a reference', '[a]: https://a.example "Title"'],
		['a tag without an end', 'a <b and c'],
	])('stays: %s', async (_name, text) => {
		expect(await cleanedText(text)).toBe(text);
	});
});

describe('Invisible content', () => {
	it.each([
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
		['a whole value', 'data:image/png;base64,AAAA', '[embedded data omitted]'],
	])('is removed: %s', async (_name, text, rest) => {
		expect(await cleanedText(text)).toBe(rest);
	});

	it.each([
		['a comment', 'a<!-- b -->c', 'ac'],
		['a comment of nothing', 'a<!-->b<!-- c -->d', 'abd'],
		['an element that is hidden', '<p>a</p><p hidden>b <i>c</i></p>d', '<p>a</p>d'],
		['what is in it', '<div hidden><div>a</div><!-- b --><p hidden>c</p></div>d', 'd'],
		['what is in it without end tags', '<div hidden><p>a<ul><li>b</div>c', 'c'],
		['display: none', '<div style="color:red; DISPLAY : none !important">a</div>b', 'b'],
		['visibility: hidden', "<span style='visibility:hidden'>a</span>b", 'b'],
		[
			'a row of a table',
			'<table><tr hidden><td>a<td>b</tr><tr><td>c</table>',
			'<table><tr><td>c</table>',
		],
		['an entry that is ended', '<ul><li hidden>a</li><li>b</ul>', '<ul><li>b</ul>'],
		['what has no end', 'a<input hidden value="b">c<br hidden>', 'ac'],
		['a tag in an attribute', '<p hidden title="</p>">a</p>b', 'b'],
		['a tag in a script', '<div hidden><script>"</div>"</script>a</div>b', 'b'],
		['capitals', '<DIV HIDDEN>a</DIV>b', 'b'],
		['the data of an image', '<img src="data:a/b;base64,AA" alt="a">', '<img src="" alt="a">'],
		['an image of a pixel', '<img width=1 height=1 src=/a.gif>b', 'b'],
		['a counter', '<img src="https://www.facebook.com/tr?id=1" alt="a">b', 'b'],
	])('is removed from HTML: %s', async (_name, html, rest) => {
		expect(await cleanedText(html, true)).toBe(rest);
	});

	it('is counted', async () => {
		const removed = new Removed();
		expect(removed.notes).toEqual([]);
		const html = 'a<!-- b --><p hidden><!-- c -->d</p><i hidden>e</i>';
		await cleaning.cleaned({ html, title: 'f\u200bg', image: 'data:a/b,c' }, htmlTexts, removed);
		expect(removed.notes).toEqual([
			"'Mark as Untrusted' removed 1 comment, 2 hidden elements, 1 invisible character, 1 embedded file (61 characters).",
		]);
	});

	it('is removed from the names of fields, of which none is lost', async () => {
		const result = { 'a\u200b': 1, a: 2, html: '<p hidden>x</p>y', b: [{ html: '<!-- x -->' }] };
		const rest = { a: 1, 'a (2)': 2, html: 'y', b: [{ html: '' }] };
		expect(await cleaned(result)).toEqual(rest);
	});

	it('is removed from any number of names that become equal, and all values stay', async () => {
		const names = [
			'a (2)',
			...['', '\u200b', '\u200c', '\u200d'].map((sign) => `a${sign}`),
			'a (4)',
		];
		const result = Object.fromEntries(names.map((name, index) => [name, index]));
		const rest = Object.values(await cleaned(result));
		expect(rest.sort()).toEqual([0, 1, 2, 3, 4, 5]);
	});

	it('is removed from very many names that become equal, in linear time', async () => {
		const names = Array.from({ length: 100_000 }, (_, index) =>
			[...index.toString(2)].map((bit) => (bit === '0' ? '\u200b' : '\u200c')).join(''),
		);
		const result = Object.fromEntries(names.map((name) => [`a${name}`, 1]));
		expect(Object.keys(await cleaned(result))).toHaveLength(100_000);
	});

	it.each([
		['texts', Array<string>(20_000).fill('a')],
		['numbers', Array<number>(20_000).fill(1)],
		['objects', Array<IDataObject>(20_000).fill({})],
	])('is removed from very many %s in turns with others', async (_kind, list) => {
		expect(await turnsDuring(async () => await cleaned({ list }))).toBeGreaterThanOrEqual(5);
	});

	const parts = [
		...[
			'<!-- ',
			'<!--',
			'<div ',
			'<div hidden>',
			'`a``b',
			'`',
			'](data:',
			'![](data:a/b,c)',
			'[',
			'![',
		],
		...[
			'![](https://t.example/pixel.gif)',
			'<p a="',
			"<p a='",
			'<a b="<" ',
			'</div>',
			'<script>',
			'</script>',
		],
		...[
			'<p hidden>',
			'<li hidden>',
			'<img src="data:',
			'<img alt=',
			'< ',
			'<a/',
			'\u200b',
			'\n```\n',
		],
	];

	it.each(parts)('is removed in linear time: %j', async (part) => {
		// A square of this would take minutes: the test's own limit of time is what fails.
		for (const isHtml of [true, false]) {
			const text = part.repeat(200_000);
			expect((await cleanedText(text, isHtml)).length).toBeLessThanOrEqual(text.length);
			expect((await cleanedText(`${text}>`, isHtml)).length).toBeLessThanOrEqual(text.length + 1);
		}
	});
});
