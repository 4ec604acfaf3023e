import { valuesNotOnPage } from '../../../../nodes/WebData/documents/notOnPage';
import { turnsDuring } from '../../../turnsDuring.cjs';

const page = `# Ember kettle [gooseneck](https://emberroast.example/shop/kettle "The kettle")

| Price | 1.299,00 € |
| --- | --- |
| Weight | 1,25 kg |

**Hand-made** in Köln since 12. März 2019, sold by Jo O’Brien &amp; Söhne: 12 % off, 3.5 million sold.
Call +49 (221) 555-0199, IBAN DE89 3704 0044 0532 0130 00, SKU EK-204/b. Swiss price 1’250.50, or 48.–
次回の更新は2026年5月1日です。価格は３００万円。[Care](/shop/kettle/care) <a href='/shop/bag'>EAN 4006381333931</a> [mail](mailto:jo@emberroast.example)
𠮷野家 LED를`;

const url = 'https://emberroast.example/shop/kettle';

describe('Values that a page has', () => {
	it.each<[string, unknown]>([
		['a text between marks', 'Ember Kettle gooseneck'],
		['a text in other quotes and case', "jo o'brien & söhne"],
		['a text with another dash', 'Hand–made in Köln'],
		['a text in Japanese', '次回の更新'],
		['a rare character', '𠮷'],
		['a word before a Korean particle', 'LED'],
		['a German number', 1299],
		['a number in another notation as text', '€1,299.00'],
		['a decimal number', 1.25],
		['a Swiss number', 1250.5],
		['a number before a dash', 48],
		['a number as percent', 0.12],
		['a number of millions', 3_500_000],
		['a number of 13 digits', 4_006_381_333_931],
		['a number in full width, of ten thousands', 3_000_000],
		['a day', '2019-03-12'],
		['a day with its time', '2019-03-12T00:00:00Z'],
		['a day in Japanese', '2026-05-01'],
		['a month', '2019-03'],
		['a link', 'https://emberroast.example/shop/kettle/care'],
		['a link of HTML', 'https://emberroast.example/shop/bag'],
		['the URL of the page', 'https://emberroast.example/shop/kettle'],
		['an e-mail address', 'jo@emberroast.example'],
		['a phone number without separators', '+492215550199'],
		['an IBAN without spaces', 'DE89370400440532013000'],
		['a SKU', 'EK 204b'],
		['a currency by its sign', 'EUR'],
		['a truth value', true],
		['nothing', null],
		['a text without letters', '–'],
		['a long text', 'not there '.repeat(21)],
	])('include %s', async (_, value) => {
		expect(await valuesNotOnPage({ value }, page, url)).toEqual([]);
	});
});

describe('Values that a page lacks', () => {
	it.each<[string, unknown]>([
		['another text', 'Ember kettle steel'],
		['a part of a word', 'mber kett'],
		['words in another order', 'kettle Ember'],
		['another number', 1298],
		['another number of 13 digits', 4_006_381_333_930],
		['another price as text', '€1,298.00'],
		['another day', '2019-03-13'],
		['another month', '2019-04'],
		['another URL', 'https://emberroast.example/shop/mug'],
		['the domain of another site', 'https://other.example/'],
		['another phone number', '+492215550198'],
		['another IBAN', 'DE89370400440532013001'],
		['a currency without its sign', 'GBP'],
	])('are found: %s', async (_, value) => {
		expect(await valuesNotOnPage({ value }, page, url)).toEqual(['value']);
	});

	it('have dotted paths with indexes', async () => {
		const json = { name: 'Ember kettle', colors: [{ name: 'blue' }], tags: ['gooseneck', 'tin'] };
		expect(await valuesNotOnPage(json, page)).toEqual(['tags[1]', 'colors[0].name']);
	});

	it('do not include the count of a list, nor a choice of the schema', async () => {
		const json = { count: 7, list: Array(7).fill('Ember'), status: 'in stock', other: 'in stock' };
		const schema = { properties: { status: { type: 'string', enum: ['in stock', 'sold'] } } };
		expect(await valuesNotOnPage(json, page, url, schema)).toEqual(['other']);
	});
});

describe('The comparison of a large page', () => {
	it('finds values across the parts in which it is read', async () => {
		const filler = 'lorem ipsum '.repeat(2083);
		const long = `${filler}${page}${filler}${page}`;
		expect(long.length).toBeGreaterThan(50_000);
		expect(await valuesNotOnPage({ name: 'Ember kettle gooseneck', price: 1299 }, long)).toEqual(
			[],
		);
	});

	it('lets others run meanwhile', async () => {
		const json = { name: 'Not there', price: 1, day: '2026-01-02' };
		const large = `${page}\n`.repeat(2_000);
		const turns = await turnsDuring(async () => await valuesNotOnPage(json, large));
		expect(turns).toBeGreaterThanOrEqual(10);
	});
});
