import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { truncateToFit, limitToolResult } from '../../../../nodes/runtime/output/limitToolResult';
import { turnsDuring } from '../../../turnsDuring.cjs';

const sizeOf = (value: unknown) => JSON.stringify(value).length;
const textOf = (result: IDataObject, name: string) => String(result[name]);

describe('Truncated results', () => {
	it('are unchanged if they fit exactly', async () => {
		const results = [{ markdown: 'a'.repeat(5000) }, { links: [1, 2, 3] }];
		expect(await truncateToFit(results, sizeOf(results))).toBe(results);
	});

	it('lose the ends of their longest texts, and report how much', async () => {
		const short = 'Spring tides';
		const results = [
			{ title: short, markdown: 'a'.repeat(30_000) },
			{ title: short, markdown: 'b'.repeat(20_000) },
			{ title: short, markdown: 'c'.repeat(2_000) },
		];
		const [one, two, three, ...more] = await truncateToFit(results, 20_000);

		expect(more).toEqual([]);
		expect([one.title, two.title, three]).toEqual([short, short, results[2]]);
		const [, kept, missing] =
			/^(a+)\n\n\[… truncated, (\d+) more characters\]$/.exec(textOf(one, 'markdown')) ?? [];
		expect(kept.length + Number(missing)).toBe(30_000);
		expect(textOf(two, 'markdown')).toMatch(new RegExp(`^b{${kept.length}}\n`));
		expect(sizeOf([one, two, three])).toBeGreaterThan(19_900);
	});

	it('lose their last entries if shorter texts are not enough', async () => {
		const results = Array.from({ length: 300 }, (_, place) => ({ place, title: 'a'.repeat(400) }));
		const kept = await truncateToFit(results, 10_000);
		const [last] = kept.slice(-1);
		expect(kept.slice(0, -1)).toEqual(results.slice(0, kept.length - 1));
		expect(last).toEqual({ more: `[… ${300 - (kept.length - 1)} more entries omitted]` });

		const links = results.map(({ place }) => `https://tidewatch.example/finds/${place}`);
		const [{ url, links: some }] = await truncateToFit([{ url: 'here', links }], 2000);
		expect(url).toBe('here');
		const list = Array.isArray(some) ? some : [];
		expect(list.slice(0, -1)).toEqual(links.slice(0, list.length - 1));
		expect(list.at(-1)).toBe(`[… ${300 - (list.length - 1)} more entries omitted]`);
	});

	it('are the beginning of their JSON if they are large in another way', async () => {
		const prices = Object.fromEntries(
			Array.from({ length: 900 }, (_, place) => [`product ${place}`, place]),
		);
		const [{ beginning }, ...more] = await truncateToFit([prices], 1000);
		expect(more).toEqual([]);
		expect(beginning).toMatch(/^\[\{"product 0":0,"product 1":1,.*more characters\]$/s);
	});

	it('always fit, and are unchanged if they did before', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 40 }),
				fc.integer({ min: 1000, max: 3000 }),
				fc.integer({ min: 1, max: 4000 }),
				async (drawn, max, length) => {
					const results = drawn.map((result) => ({ ...result, text: '"é\n'.repeat(length) }));
					const kept = await truncateToFit(results as IDataObject[], max);
					expect(sizeOf(kept)).toBeLessThanOrEqual(max);
					if (sizeOf(results) <= max) expect(kept).toBe(results);
				},
			),
		);
	});
});

/** Results whose members are counted as they are read. */
function countedResults(count: number, member: unknown) {
	const reads = { count: 0 };
	const results = Array.from({ length: count }, () =>
		Object.defineProperty({}, 'member', {
			enumerable: true,
			get: () => {
				reads.count += 1;
				return member;
			},
		}),
	);
	return { reads, results };
}

describe('Truncation', () => {
	it.each<[string, number, unknown]>([
		['many short results', 50_000, 'tide'],
		['many long texts', 5_000, 'tide '.repeat(1000)],
		['many lists', 5_000, Array.from({ length: 100 }, () => 'tide')],
	])('takes time for its output, not for its input: %s', async (_, count, member) => {
		const { reads, results } = countedResults(count, member);
		const kept = await truncateToFit(results, 5000);
		expect(sizeOf(kept)).toBeLessThanOrEqual(5000);
		expect(sizeOf(kept)).toBeGreaterThan(4000);
		// A search halves at most 5,000 places, and each step looks at 5,000 characters at most.
		expect(reads.count).toBeLessThan(2 * 13 * 5000);
	});

	it('handles any depth', async () => {
		let deep: IDataObject = { a: 1 };
		for (let level = 0; level < 200_000; level += 1) deep = { deep };
		const kept = await truncateToFit(
			[{ title: 'Tides', deep, markdown: 'a'.repeat(50_000) }],
			20_000,
		);
		expect(sizeOf(kept)).toBeLessThanOrEqual(20_000);
		expect(JSON.stringify(kept)).toContain('nested too deep');
	});
});

describe('Results truncated for a question', () => {
	const filler = (about: string, count = 400) =>
		Array.from({ length: count }, (_, place) => `${about} number ${place} is long.`).join('\n\n');
	const fact = 'A berth costs 12 euros a night.';
	const results = [
		{ url: 'a', markdown: filler('The harbour') },
		{ url: 'b', markdown: `# Prices\n\n${filler('The beach')}\n\n${fact}\n\n${filler('The sea')}` },
	];

	it('keep the matching parts and report the others', async () => {
		const [one, two] = await truncateToFit(results, 5_000, 'What does a berth cost?');

		expect(two.markdown).toContain(`# Prices\n`);
		expect(two.markdown).toContain(fact);
		expect(two.markdown).toMatch(
			/\n\n\[… only the parts that match the question, \d+ more characters\]$/,
		);
		expect(textOf(one, 'markdown')).toMatch(/^The harbour number 0 is long\./);
		expect(JSON.stringify(await truncateToFit(results, 5_000))).not.toContain(fact);
	});

	it('are truncated normally if nothing matches', async () => {
		expect(await truncateToFit(results, 5_000, 'zebra')).toEqual(
			await truncateToFit(results, 5_000),
		);
	});

	it('are never longer than the limit', async () => {
		const line = fc.constantFrom(
			fact,
			'# Berths',
			'| A "berth" | 12 |',
			'|---|---|',
			'```',
			'',
			'Ufer\u0007 \\ "quoted"',
			filler('A berth', 40),
			'berth '.repeat(300),
		);
		const record = fc.record({
			markdown: fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) => lines.join('\n')),
			links: fc.array(fc.webUrl(), { maxLength: 30 }),
		});
		const longest = fc.integer({ min: 1000, max: 8000 });
		await fc.assert(
			fc.asyncProperty(fc.array(record, { maxLength: 8 }), longest, async (many, max) => {
				expect(sizeOf(await truncateToFit(many, max, 'what a berth costs'))).toBeLessThanOrEqual(
					max,
				);
			}),
		);
	});
});

describe('A long limit', () => {
	const long = 1_000_000;
	const results = (count: number, result: IDataObject) => Array<IDataObject>(count).fill(result);

	it.each<[string, IDataObject[]]>([
		['texts are shortened', results(40, { markdown: 'tide '.repeat(10_000) })],
		['results are omitted', results(200_000, { url: 'https://tidewatch.example' })],
		[
			'the beginning is left',
			[
				Object.fromEntries(
					Array(200_000)
						.fill(0)
						.map((_, at) => [at, at]),
				),
			],
		],
	])('lets others run while %s', async (_how, given) => {
		const turns = await turnsDuring(async () => {
			expect(sizeOf(await truncateToFit(given, long))).toBeGreaterThan(0.9 * long);
		});
		expect(turns).toBeGreaterThanOrEqual(10);
	});
});

describe('The result of a tool', () => {
	const items = [{ json: { url: 'a' }, pairedItem: { item: 0 } }];

	it('is unchanged if there are no notes', async () => {
		expect(await limitToolResult(items, [], { max: 1000 })).toBe(items);
	});

	it('comes after the notices of the service', async () => {
		const told = await limitToolResult(items, ['One source was slow.'], { max: 1000 });
		expect(told.map(({ json }) => json)).toEqual([
			{ notes: ['One source was slow.'] },
			{ url: 'a' },
		]);
	});

	it('is never empty', async () => {
		const notes = ['There are no results.', 'Item 0 found nothing'];
		const told = await limitToolResult([], notes.slice(1), { max: 1000 });
		expect(told).toEqual([{ json: { notes }, pairedItem: { item: 0 } }]);
	});

	it('explains how to get the omitted rest, within the limit', async () => {
		const long = { json: { markdown: 'tide '.repeat(1000) }, pairedItem: { item: 0 } };
		const kept = await limitToolResult([long], ['One source was slow.'], { max: 2000 });
		const [{ json: first }, { json: second }, ...more] = kept;

		expect(more).toEqual([]);
		expect(first.notes).toEqual([
			'One source was slow.',
			expect.stringMatching(
				/^The result was truncated to 2000 characters\..*request less.*'Max Tool Result Length'/,
			),
		]);
		expect(second.markdown).toMatch(/^tide tide .*more characters\]$/s);
		expect(sizeOf(kept.map(({ json }) => json))).toBeLessThanOrEqual(2000);
	});

	it('has no invisible content, also after many of the smallest items', async () => {
		const fence = 'mark';
		const longest = fc.integer({ min: 1000, max: 3000 });
		await fc.assert(
			fc.asyncProperty(longest, fc.nat({ max: 1200 }), async (max, empty) => {
				const items = Array.from({ length: empty + 300 }, (_, place) => ({
					json: place < empty ? {} : { a: 'ti\u200bde' },
					pairedItem: { item: 0 },
				}));
				const entries = (await limitToolResult(items, [], { max, fence })).map(({ json }) => json);

				expect(JSON.stringify(entries)).not.toContain('\u200b');
				expect(sizeOf(entries)).toBeLessThanOrEqual(max);
			}),
		);
	});
});
