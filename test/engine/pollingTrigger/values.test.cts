import { createHash } from 'node:crypto';
import { PollContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';
import { urlOf, useWatchedPages } from './watchedPages.cjs';
import { started } from './watching.cjs';

const testBed = useTestBed();
const pages = useWatchedPages(testBed);
const { time } = pages;

const starts = () => testBed.service.log.of('POST', '/v2/batch/scrape');

const fieldsOf = (example: object) => ({
	compare: 'fields',
	schemaType: 'example',
	schemaExample: JSON.stringify(example),
});

/** The service returns these documents, one for each look, the last one for good. */
function shows(...looks: object[]): void {
	testBed.service.faults.clear();
	const before = starts().length;
	const documents = (): object[] => {
		const look = looks[Math.min(looks.length, starts().length - before) - 1];
		return Array.isArray(look) ? look : [look];
	};
	testBed.service.faults.add({
		method: 'GET',
		path: '/v2/batch/scrape/*',
		kind: 'addition',
		count: Infinity,
		fields: {
			next: null,
			get completed() {
				return documents().length;
			},
			get data() {
				return documents().map((document) => ({
					metadata: { sourceURL: urlOf('a'), statusCode: 200 },
					...document,
				}));
			},
		},
	});
}

/** A trigger that has seen values of page a. */
async function watching(first: object, more: INodeParameters = {}, stored?: IDataObject) {
	pages.add('a');
	shows(first);
	const watcher = pages.watcher(['a'], { ...fieldsOf({ price: 1 }), ...more });
	if (stored) watcher.options.stored = stored;
	const trigger = await started(watcher, time);
	const check = async (...looks: object[]) => {
		const before = trigger.fired.length;
		shows(...looks);
		await time.drive(trigger.poll());
		expect(trigger.errors).toEqual([]);
		return trigger.fired.slice(before);
	};
	return Object.assign(trigger, { check });
}

const json = (value: object) => ({ json: value });

describe('the values of a page', () => {
	it('are missing once without a word, and gone when they are missing twice', async () => {
		const { check } = await watching(json({ price: 10, name: 'Mug' }));
		const missing = json({ price: null, name: 'Mug' });

		expect(await check(missing)).toEqual([]);
		expect(await check(json({ price: 10, name: 'Mug' }))).toEqual([]);
		expect(await check(missing)).toEqual([]);
		expect(await check(missing)).toMatchObject([
			{
				change: 'changed',
				current: { price: null, name: 'Mug' },
				previous: { price: 10, name: 'Mug' },
				diff: { text: '-price: 10' },
			},
		]);
		expect(await check(missing)).toEqual([]);
		expect(await check(json({ price: 10, name: 'Mug' }))).toMatchObject([
			{ current: { price: 10 }, previous: { price: null }, diff: { text: '+price: 10' } },
		]);
	});

	it('show null for a value that is missing beside one that changed', async () => {
		const { check } = await watching(json({ price: 10, name: 'Mug' }));

		expect(await check(json({ name: 'Cup' }))).toMatchObject([
			{ current: { price: null, name: 'Cup' }, diff: { text: '-name: "Mug"\n+name: "Cup"' } },
		]);
		expect(await check(json({ price: 10, name: 'Cup' }))).toEqual([]);
	});

	it('that the page does not have are missing', async () => {
		const markdown = 'A mug for 10 euros';
		const { check } = await watching({ markdown, json: { price: 10 } });

		const madeUp = { markdown, json: { price: 777 } };
		expect(await check({ markdown, json: { price: 10, weight: 999 } })).toEqual([]);
		// All that there is was made up.
		expect(await check(madeUp)).toMatchObject([{ change: 'failed' }]);
		expect(await check({ markdown, json: { price: 10 } })).toEqual([]);
	});

	it('of a list are not there where the page does not have them', async () => {
		const markdown = 'A for 10, B for 20; red, blue';
		const offers = [
			{ sku: 'A', price: 10 },
			{ sku: 'B', price: 20 },
		];
		const { check } = await watching({ markdown, json: { offers, tags: ['red', 'blue'] } });

		const madeUp = [{ sku: 'ZZ9', price: 777 }, ...offers];
		expect(await check({ markdown, json: { offers: madeUp, tags: ['red', 'blue'] } })).toEqual([]);
		expect(await check({ markdown, json: { offers, tags: ['red', 'blue', 'golden'] } })).toEqual(
			[],
		);
	});

	it('do not fire for numbers that moved less than the minimum since they were reported', async () => {
		const { check } = await watching(json({ price: 100, stock: 'yes' }), { minChange: 5 });

		expect(await check(json({ price: 103, stock: 'yes' }))).toEqual([]);
		expect(await check(json({ price: 105, stock: 'yes' }))).toMatchObject([
			{ current: { price: 105 }, previous: { price: 100 } },
		]);
		expect(await check(json({ price: 101, stock: 'yes' }))).toEqual([]);
		expect(await check(json({ price: 105, stock: 'no' }))).toHaveLength(1);
	});

	it('of 100 pages with long texts behave as those of one with short ones', async () => {
		const names = Array.from({ length: 100 }, (_, index) => `page-${index}`);
		names.forEach((name) => pages.add(name));
		const long = 'A sentence of a long description. '.repeat(100);
		const list = Array.from({ length: 3 }, (_, at) => ({ sku: `S${at}`, text: long + at }));
		const links = list.map(({ sku, text }) => ({ url: `${urlOf(long)}/${sku}`, text }));
		const documents = (more: object) =>
			names.map((name) => ({
				json: { price: 10, text: long + name, list, links, ...more },
				metadata: { sourceURL: urlOf(name), statusCode: 200 },
			}));
		shows(documents({}));
		const trigger = await started(
			pages.watcher(names, { ...fieldsOf({ price: 1 }), confirmChanges: false }),
			time,
		);

		for (const more of [
			{ text: null },
			{},
			{ list: [...list].reverse() },
			{ list: list.slice(1) },
		]) {
			shows(documents(more));
			await time.drive(trigger.poll());
		}
		expect([trigger.errors, trigger.fired]).toEqual([[], []]);
		shows(documents({ text: `${long} changed`, list }));
		await time.drive(trigger.poll());

		expect(trigger.fired).toHaveLength(100);
		expect(trigger.fired[0]).toMatchObject({
			previous: {
				price: 10,
				text: expect.stringMatching(/^A sentence of a long descripti…#\S{8}$/),
			},
			diff: {
				text: expect.stringMatching(/^-text: "A sentence of a long descripti…#\S{8}"\n\+text: "A/),
			},
		});
		expect(Buffer.byteLength(JSON.stringify(trigger.stored))).toBeLessThan(1_000_000);
	});
});

/** What the version before stored of page a. */
const storedBefore = (content?: object) => {
	const hash = (text: string, length: number) =>
		createHash('sha256').update(text).digest('base64url').slice(0, length);
	const schema = { type: 'object', properties: { price: { type: 'number' } } };
	const setup = hash(JSON.stringify({ compare: 'fields', schema, ignoreLines: [] }), 11);
	const page = { is: 'up', mark: 'any', ...(content && { content }) };
	const pagesStored = { [hash('tidewatch.example/watched/a', 11)]: page };
	return { watch: 'page', state: { setup, pages: pagesStored } } as IDataObject;
};

describe('a state of the version before', () => {
	const markdown = 'A mug for 10 euros';
	const document = (value: object) => ({ markdown, json: { kind: 'Crockery', ...value } });

	it.each<[string, object | undefined]>([
		['with the content', { price: 10, kind: 'Crockery' }],
		['with a mark alone', undefined],
	])('%s is read, and fires nothing for the update', async (_what, content) => {
		const { check } = await watching(document({ price: 10 }), {}, storedBefore(content));

		expect(await check(document({ price: 10 }))).toEqual([]);
		expect(await check({ markdown: '12 euros', json: { price: 12 } })).toMatchObject([
			{ current: { price: 12 }, previous: { price: 10 } },
		]);
	});

	it('is compared with what there is', async () => {
		const state = storedBefore({ price: 9, kind: 'Crockery' });
		const { fired } = await watching(document({ price: 10 }), {}, state);

		expect(fired).toMatchObject([{ change: 'changed', diff: { text: '-price: 9\n+price: 10' } }]);
	});
});

describe('a state', () => {
	it('stays when only how changes are reported changes', async () => {
		const trigger = await watching(json({ price: 10 }));
		shows(json({ price: 20 }));
		const parameters = { watch: 'page', urls: urlOf('a'), ...fieldsOf({ price: 1 }) };
		await time.drive(trigger.change({ ...parameters, minChange: 50, confirmChanges: false }));

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([{ previous: { price: 10 }, current: { price: 20 } }]);
	});

	it('outlives checks that fail', async () => {
		const trigger = await watching(json({ price: 10 }), { options: { maxRetryTime: 0 } });
		testBed.service.faults.clear();
		testBed.service.faults.add({ kind: 'status', status: 503, count: Infinity });
		await time.drive(trigger.poll());
		await time.drive(trigger.poll());
		shows(json({ price: 9 }));
		await time.drive(trigger.poll());

		expect(trigger.errors).toHaveLength(2);
		expect(trigger.fired).toMatchObject([{ previous: { price: 10 }, current: { price: 9 } }]);
	});
});

describe('a second look', () => {
	it('that fails leaves the first one as it is', async () => {
		const { check } = await watching(json({ price: 10 }));

		const metadata = { sourceURL: urlOf('a'), statusCode: 503 };
		expect(await check(json({ price: 9 }), { metadata })).toMatchObject([
			{ change: 'changed', current: { price: 9 }, statusCode: 200 },
		]);
	});

	it('at a text keeps lines that it does not show from firing', async () => {
		const text = (...lines: string[]) => ({ markdown: lines.join('\n\n') });
		const more = { compare: 'text', confirmChanges: true };
		const { check } = await watching(text('Bread', 'Cake'), more);

		const first = text('Bread', 'Cake', 'An advertisement');
		expect(await check(first, text('Bread', 'Cake', 'Another one'))).toEqual([]);
		expect(await check(text('Bread', 'Tea', 'An ad'), text('Bread', 'Tea'))).toMatchObject([
			{ change: 'changed', diff: { text: '-Cake\n+Tea' } },
		]);
		expect(await check(text('Bread', 'Tea'))).toEqual([]);
	});

	it('keeps what it does not show from firing, and costs what the log says', async () => {
		const log = jest.spyOn(PollContext.prototype.logger, 'info');
		const { check } = await watching(json({ price: 10, name: 'Mug' }));
		testBed.service.log.clear();

		expect(await check(json({ price: 9, name: 'Mug' }), json({ price: 10, name: 'Mug' }))).toEqual(
			[],
		);
		expect(starts()).toHaveLength(2);
		expect(log.mock.calls.map(([line]) => line)).toContainEqual(
			expect.stringMatching(/10 credits used\..* 1 changed page scraped once more for 5 credits\./),
		);
		log.mockRestore();
		expect(await check(json({ price: 10, name: 'Mug' }))).toEqual([]);
		expect(starts()).toHaveLength(3);
	});

	it('leaves out what it does not show of a change', async () => {
		const { check } = await watching(json({ price: 10, name: 'Mug' }));

		const flicker = json({ price: 8, name: 'Cup' });
		expect(await check(flicker, json({ price: 8, name: 'Mug' }))).toMatchObject([
			{ current: { price: 8 }, diff: { text: '-price: 10\n+price: 8' } },
		]);
		expect(await check(json({ price: 8, name: 'Mug' }))).toEqual([]);
	});

	it('that shows another value leaves it to the next check, once', async () => {
		const { check } = await watching(json({ price: 10 }));

		expect(await check(json({ price: 9 }), json({ price: 7 }))).toEqual([]);
		expect(await check(json({ price: 9 }))).toMatchObject([{ previous: { price: 10 } }]);
		expect(await check(json({ price: 8 }), json({ price: 7 }))).toEqual([]);
		expect(await check(json({ price: 6 }), json({ price: 5 }))).toMatchObject([
			{ current: { price: 5 }, previous: { price: 9 } },
		]);
	});

	it('that finds the page gone fires nothing', async () => {
		const { check } = await watching(json({ price: 10 }));

		const metadata = { sourceURL: urlOf('a'), statusCode: 404 };
		expect(await check(json({ price: 9 }), { metadata })).toEqual([]);
	});

	it('whose start fails lets the first one count', async () => {
		const trigger = await watching(json({ price: 10 }), { options: { maxRetryTime: 0 } });
		const failed = { metadata: { sourceURL: urlOf('a'), statusCode: 503 } };
		for (const first of [json({ price: 9 }), failed, json({ price: 8 })]) {
			shows(first);
			const start = { method: 'POST', path: '/v2/batch/scrape', skip: 1 };
			testBed.service.faults.add({ ...start, kind: 'status', status: 500 });
			await time.drive(trigger.poll());
		}

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([
			{ current: { price: 9 } },
			{ change: 'failed', reason: 'The page returns HTTP 503' },
			{ current: { price: 8 }, previous: { price: 9 } },
		]);
	});

	it('loses nothing if n8n stops before the workflow starts', async () => {
		const trigger = await watching(json({ price: 10 }));
		shows(json({ price: 9 }));
		trigger.untilKill = 0;
		await time.drive(trigger.poll());
		const fired = trigger.fired.length;
		await time.drive(trigger.restart());

		expect(fired).toBe(0);
		expect(trigger.fired).toMatchObject([{ previous: { price: 10 }, current: { price: 9 } }]);
	});

	it('is taken of the changed pages alone, and finds each its own', async () => {
		['a', 'b', 'c'].forEach((name) => pages.add(name));
		const of = (prices: number[]) =>
			prices.map((price, place) => ({
				json: { price },
				metadata: { sourceURL: urlOf('abc'[place]), statusCode: 200 },
			}));
		shows(of([1, 2, 3]));
		const watcher = pages.watcher(['a', 'b', 'c'], fieldsOf({ price: 1 }));
		const trigger = await started(watcher, time);
		testBed.service.log.clear();
		shows(of([1, 5, 6]), of([1, 5, 3]));
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(starts().map(({ body }) => Object(body).urls)).toEqual([
			['a', 'b', 'c'].map(urlOf),
			['b', 'c'].map(urlOf),
		]);
		expect(trigger.fired).toMatchObject([{ url: urlOf('b'), current: { price: 5 } }]);
	});
});

describe('the product of a page', () => {
	const watchedProduct = async (markdown: string, more: INodeParameters = {}) => {
		pages.add('a', markdown);
		const trigger = await started(
			pages.watcher(['a'], { compare: 'product', confirmChanges: false, ...more }),
			time,
		);
		return Object.assign(trigger, {
			next: async (text: string) => {
				const before = trigger.fired.length;
				pages.update('a', text);
				await time.drive(trigger.poll());
				expect(trigger.errors).toEqual([]);
				return trigger.fired.slice(before);
			},
		});
	};

	it('fires for price, sale and stock, for 1 credit a check, in a flat item', async () => {
		const { next } = await watchedProduct('Mug: € 10');

		expect(await next('News\n\nMug: € 10')).toEqual([]);
		const [item] = await next('Mug: € 8 (was € 10)');
		expect(item).toMatchObject({
			change: 'changed',
			current: {
				title: expect.stringMatching(/^a/),
				price: 8,
				currency: 'EUR',
				originalPrice: 10,
				inStock: true,
			},
			previous: { price: 10, originalPrice: null },
			diff: { text: '-price: 10\n+price: 8\n+originalPrice: 10' },
			creditsUsed: 1,
		});
		expect(Object.keys(Object(item.current))).not.toContain('variants');
		expect(await next('Mug: € 8 (was € 10), sold out')).toMatchObject([
			{ current: { inStock: false } },
		]);
		const formats = starts().map(({ body }) => Object(body).formats);
		expect(formats.at(-1)).toEqual([{ type: 'product' }, { type: 'markdown' }]);
	});

	it('is compared by variant', async () => {
		const { next } = await watchedProduct('Red: € 10\n\nBlue: € 12');

		expect(await next('Blue: € 12\n\nRed: € 10')).toEqual([]);
		expect(await next('Blue: € 11\n\nRed: € 10')).toMatchObject([
			{
				current: { price: 10, variants: [{ name: 'Blue', price: 11 }, { name: 'Red' }] },
				diff: { text: '-variants[name=Blue].price: 12\n+variants[name=Blue].price: 11' },
			},
		]);
		expect(await next('Blue: € 11')).toEqual([]);
		expect(await next('Blue: € 11')).toHaveLength(1);
	});

	it('fails with advice on a page without one', async () => {
		const { next } = await watchedProduct('Mug: € 10');

		expect(await next('Sorry')).toMatchObject([
			{ change: 'failed', reason: "No product data on the page: set 'Compare' to Fields" },
		]);
	});
});
