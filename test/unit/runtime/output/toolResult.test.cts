import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { limitToolResult, truncateToFit } from '../../../../nodes/runtime/output/toolResult';
import { toldIn } from '../../../engine/fence.cjs';

const sizeOf = (value: unknown) => JSON.stringify(value).length;

describe('Truncated results', () => {
	it('are unchanged if they fit exactly', async () => {
		const results = [{ markdown: 'a'.repeat(5000) }, { links: [1, 2, 3] }];
		expect(await truncateToFit(results, sizeOf(results))).toBe(results);
	});

	it('lose the ends of their longest texts, and report how much', async () => {
		const results = [
			{ title: 'Spring tides', markdown: 'a'.repeat(30_000) },
			{ title: 'Spring tides', markdown: 'b'.repeat(20_000) },
			{ title: 'Spring tides', markdown: 'c'.repeat(2_000) },
		];
		const kept = await truncateToFit(results, 20_000);

		const [, rest, missing] =
			/^(a+)\n\n\[… truncated, (\d+) more characters\]$/.exec(String(kept[0].markdown)) ?? [];
		expect(rest.length + Number(missing)).toBe(30_000);
		expect(kept[1].markdown).toMatch(new RegExp(`^b{${rest.length}}\n`));
		expect(kept.slice(2)).toEqual(results.slice(2));
		expect(sizeOf(kept)).toBeLessThanOrEqual(20_000);
		expect(sizeOf(kept)).toBeGreaterThan(19_000);
	});

	it('lose their last entries if shorter texts are not enough', async () => {
		const results = Array.from({ length: 300 }, (_, place) => ({ place, title: 'a'.repeat(400) }));
		const kept = await truncateToFit(results, 10_000);
		const count = kept.length - 1;
		expect(kept.slice(0, -1)).toEqual(results.slice(0, count));
		expect(kept.at(-1)).toEqual({ more: `[… ${300 - count} more entries omitted]` });
		expect(count).toBeGreaterThan(18);

		const links = results.map(({ place }) => `https://tidewatch.example/finds/${place}`);
		const [{ url, links: some }] = await truncateToFit([{ url: 'here', links }], 2000);
		const list = Array.isArray(some) ? some : [];
		expect(url).toBe('here');
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

	const fact = 'A berth costs 12 euros a night.';
	const filler = (about: string) =>
		Array.from({ length: 400 }, (_, place) => `${about} number ${place} is long.`).join('\n\n');
	const pages = [
		{ url: 'a', markdown: filler('The harbour') },
		{ url: 'b', markdown: `# Prices\n\n${filler('The beach')}\n\n${fact}\n\n${filler('The sea')}` },
	];

	it('keep the parts that match a question, and report the others', async () => {
		const [one, two] = await truncateToFit(pages, 5_000, 'What does a berth cost?');

		expect(two.markdown).toMatch(/^# Prices\n/);
		expect(two.markdown).toContain(fact);
		expect(two.markdown).toMatch(/\n\n\[… only the parts that match the question, \d+ more cha/);
		expect(one.markdown).toMatch(/^The harbour number 0 is long\./);
		expect(JSON.stringify(await truncateToFit(pages, 5_000))).not.toContain(fact);
		expect(await truncateToFit(pages, 5_000, 'zebra')).toEqual(await truncateToFit(pages, 5_000));
	});

	it('always fit, and are unchanged if they did before', async () => {
		const text = fc.constantFrom('"é\n', '\u0007', 'a berth ', fact, 'tide\n\n');
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 40 }),
				fc.integer({ min: 1000, max: 3000 }),
				fc.integer({ min: 1, max: 4000 }),
				text,
				async (drawn, max, length, unit) => {
					const results = drawn.map((json) => ({ ...json, text: unit.repeat(length) }));
					const kept = await truncateToFit(results as IDataObject[], max, 'what a berth costs');
					expect(sizeOf(kept)).toBeLessThanOrEqual(max);
					if (sizeOf(results) <= max) expect(kept).toBe(results);
				},
			),
		);
	});

	it('take linear time for any number of results', async () => {
		const timeOf = async (count: number) => {
			const start = process.cpuUsage();
			for (const member of ['tide', 'tide '.repeat(200), ['tide', 'neap']]) {
				await truncateToFit(Array<IDataObject>(count).fill({ member }), 5000);
			}
			return process.cpuUsage(start).user;
		};
		await timeOf(1_000);
		expect(await timeOf(100_000)).toBeLessThan(40 * (await timeOf(10_000)) + 1_000_000);
	});
});

describe('The result of a tool', () => {
	const item = (json: IDataObject) => ({ json, pairedItem: { item: 0 } });
	const told = async (given: Parameters<typeof limitToolResult>[0], max?: number) => {
		const results = (await limitToolResult(given, max)).map(({ json }) => json);
		return { size: sizeOf(results), ...toldIn(results) };
	};

	it('has what comes from the web between delimiters, and the own notes before', async () => {
		expect(
			await told({
				items: [item({ 'url\u200b': 'a\u200b' })],
				notices: ['One source was slow.'],
				quotes: ['No\u200b such page'],
				ownNotes: ['An equal call.'],
				errors: [{ error: 'The request failed', advice: 'Try again.' }],
			}),
		).toMatchObject({
			before: [
				{ notes: ['An equal call.'] },
				{ error: 'The request failed', advice: 'Try again.' },
			],
			inside: [{ notes: ['One source was slow.'] }, { message: 'No such page' }, { url: 'a' }],
		});
	});

	it('is never empty', async () => {
		expect(await told({ items: [] })).toMatchObject({
			before: [{ notes: ['There are no results.'] }],
			inside: [],
		});
		const errors = [{ error: 'The URL is invalid' }];
		expect(await limitToolResult({ items: [], errors })).toEqual([item(errors[0])]);
	});

	it('keeps its files if it fits', async () => {
		const binary = { screenshot: { data: '', mimeType: 'image/png' } };
		const results = await limitToolResult({ items: [{ ...item({ a: 1 }), binary }] });
		expect(results[1].binary).toBe(binary);
	});

	it.each([1_500, 5_000, 40_000])('has at most %d characters', async (max) => {
		const days = Array.from({ length: 5_000 }, (_, day) => `Tides of day ${day} "rise".`);
		const one = item({ url: 'https://a.example', markdown: days.join('\n\n') });
		for (const question of [undefined, 'tides of day 4711']) {
			const { size, before } = await told({ items: [one, one], notices: ['Slow.'], question }, max);
			expect(size).toBeLessThanOrEqual(max);
			expect(size).toBeGreaterThan(max * 0.6);
			expect(before).toEqual([
				{ notes: [expect.stringMatching(/^The result was truncated to \d+ characters\./)] },
			]);
		}
	});

	it('cannot contain the mark', async () => {
		const marks = new Set<unknown>();
		for (let call = 0; call < 100; call += 1) {
			marks.add((await limitToolResult({ items: [item({})] }))[0].json.fence);
		}
		expect(marks.size).toBe(100);
	});
});
