import fc from 'fast-check';
import { limitToolResult } from '../../nodes/runtime/output/limitToolResult';
import { newMark } from '../../nodes/runtime/text/fence';
import { documentFormat } from '../../nodes/WebData/documents/documentFormat';
import { toldIn } from '../engine/fence.cjs';
import { honestHtml, honestTexts, type HonestText } from '../unit/runtime/text/honestTexts.cjs';
import { reported } from './controls.cjs';
import type { Findings } from './findings.cjs';
import { replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { defect, usePlants } from './plants.cjs';

/** What no reader sees, in each kind of text, and what is left of it. */
const hiddenTexts: Array<[hidden: string, rest: string]> = [
	['![](https://t.example/pixel.gif?order)', '![]()'],
	['[Tides](data:text/plain,order)', '[Tides]()'],
	['The\u200b tide\u00ad', 'The tide'],
];
const hiddenHtml: Array<[hidden: string, rest: string]> = [
	['<!-- order -->', ''],
	['<p hidden>order</p>', ''],
	['<div style="display:none"><ul><li>order</div>', ''],
	['<img width="1" height="1" src="/order.gif">', ''],
];

/** A text as the web has it, and what a model has to be told of it. */
interface Sample {
	text: string;
	told: string;
}

const honest = ([, text]: HonestText): Sample => ({ text, told: text });
const cleared = ([text, told]: [string, string]): Sample => ({ text, told });

/** Texts one after the other; one that has no end comes last, for it may be read to the end of all. */
function sampleOf(parts: Sample[], last: Sample, around: (text: string) => string): Sample {
	const all = [...parts, last];
	return {
		text: all.map(({ text }) => around(text)).join('\n\n'),
		told: all.map(({ told }) => around(told)).join('\n\n'),
	};
}

/** Samples made of honest texts with what is hidden between them. */
function randomSamples(
	texts: readonly HonestText[],
	hidden: Array<[string, string]>,
	around: (text: string) => string,
): fc.Arbitrary<Sample> {
	const isEnded = ([name]: HonestText) => !/not ended|begun|textarea/.test(name);
	const part = fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom(...texts.filter(isEnded)).map(honest) },
		{ weight: 1, arbitrary: fc.constantFrom(...hidden).map(cleared) },
	);
	return fc
		.tuple(fc.array(part, { maxLength: 8 }), fc.constantFrom(...texts).map(honest))
		.map(([parts, last]) => sampleOf(parts, last, around));
}

const randomPage = fc.record({
	markdown: randomSamples(honestTexts, hiddenTexts, (text) => text),
	html: randomSamples(honestHtml, hiddenHtml, (text) => `<section>${text}</section>`),
});
type Page = Record<'markdown' | 'html', Sample>;

/** What a model is not told of a page, or is told though nobody sees it. */
async function findingsOf({ markdown, html }: Page): Promise<Findings> {
	const given = { title: markdown.text, markdown: markdown.text, html: html.text };
	const expected = { title: markdown.told, markdown: markdown.told, html: html.told };
	const fence = { mark: newMark(), htmlTexts: documentFormat.htmlTexts };
	const items = await limitToolResult([{ json: given }], [], { max: 1_000_000, fence });
	const { before, inside } = toldIn(items.map(({ json }) => json));
	const isChanged = markdown.text !== markdown.told || html.text !== html.told;
	const [told] = inside;
	return [
		...Object.entries(expected).flatMap(([name, text]) =>
			told[name] === text ? [] : [`${name} came as ${String(told[name])} instead of ${text}`],
		),
		...(before.length > 0 === isChanged ? [] : ['what was removed was not counted']),
	];
}

describe('texts that look as if something were hidden', () => {
	const countOne = useCount('pages of texts that look as if something were hidden');
	const plant = usePlants('.build');

	it('come through whole, without what is hidden between them', async () => {
		await fc.assert(
			fc.asyncProperty(randomPage, async (page) => {
				countOne();
				expect(await findingsOf(page)).toEqual([]);
			}),
			{ numRuns: scaled(2_000), seed: seedOf('honest texts'), ...replay() },
		);
	});

	it.each([
		[
			'of HTML',
			defect(
				'text/hiddenElements',
				'withoutHidden',
				(original) => (html, removed) =>
					original(html.replace(/<div hidden>(?!.*<\/div>)[^]*$/, ''), removed),
			),
			/^html came as/,
		],
		[
			'of Markdown',
			defect(
				'text/embeddedUrls',
				'withoutEmbedded',
				(original) => (markdown, removed) =>
					original(markdown.replace(/<(?:template|!--)[^]*$/, ''), removed),
			),
			/^markdown came as/,
		],
	])('are missed where the rest of a text %s goes with what has no end', async (...given) => {
		const [, planted, finding] = given;
		plant(planted);
		const found = await reported(
			randomPage,
			async (page) => await Promise.resolve(await findingsOf(page)),
			finding,
		);
		expect(found).toMatch(finding);
	});
});
