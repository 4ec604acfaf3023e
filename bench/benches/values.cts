import { valuesNotOnPage } from '../../nodes/WebData/documents/notOnPage';
import { seededRandom } from '../../test/seededRandom.cjs';
import { countTo, spreadOf, type Bench, type Figure } from '../bench.cjs';
import { pagesIn } from '../passageQuestions.cjs';

/** A value as a model extracts it from a page, and another that it could make up. */
interface Sample {
	kind: 'text' | 'number' | 'date' | 'URL';
	page: string;
	given: string | number;
	madeUp: string | number;
}

const random = seededRandom(66);
const pick = <Entry,>(entries: readonly Entry[]): Entry | undefined =>
	entries[Math.floor(random() * entries.length)];

/** The names of each month in English, German and French, as a pattern. */
const monthNames = Array.from({ length: 12 }, (_, month) =>
	['en', 'de', 'fr']
		.map((language) => new Date(2026, month).toLocaleString(language, { month: 'long' }))
		.join('|'),
);
const monthOf = (name: string): number =>
	monthNames.findIndex((names) => names.split('|').includes(name)) + 1;
const names = monthNames.join('|');

/** Where dates stand, with the order of year, month and day. */
const dates: Array<[RegExp, [number, number, number]]> = [
	[/\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b/g, [1, 2, 3]],
	[/((?:19|20)\d\d)年(\d{1,2})月(\d{1,2})日/g, [1, 2, 3]],
	[new RegExp(`\\b(\\d{1,2})\\.? (${names}) ((?:19|20)\\d\\d)\\b`, 'g'), [3, 2, 1]],
	[new RegExp(`\\b(${names}) (\\d{1,2}), ((?:19|20)\\d\\d)\\b`, 'g'), [3, 1, 2]],
];

const iso = (year: number, month: number, day: number): string =>
	new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);

const datesIn = (page: string): Array<[number, number, number]> =>
	dates.flatMap(([pattern, order]) =>
		[...page.matchAll(pattern)].map((found) => {
			const [year, month, day] = order.map(
				(index) => monthOf(found[index]) || Number(found[index]),
			);
			return [year, month, day] as [number, number, number];
		}),
	);

/** Lines of prose without notation, as a reader quotes them. */
const linesIn = (page: string): string[] =>
	page
		.split('\n')
		.filter((line) => !/[`<>|[\]{}=\\]|https?:/.test(line))
		.map((line) => line.replace(/^[\s#*+-]+|\*\*/g, '').trim())
		.filter((line) => line.length >= 12);

/** Some words of a line, or as many signs of one without spaces. */
function quoted(line: string): string {
	const words = line.split(' ');
	if (words.length < 4) return /^.{0,40}(?![a-z\d])/i.exec(line)?.[0] ?? line;
	const from = Math.floor(random() * (words.length - 3));
	return words.slice(from, from + 4).join(' ');
}

const digitsIn = (page: string) => new Set(page.match(/\d+/g));

/** Up to so many samples of each kind from a page; what is made up was looked for in another way. */
function samplesOf(page: string, others: readonly string[]): Sample[] {
	const samples: Sample[] = [];
	const add = (kind: Sample['kind'], given?: string | number, madeUp?: string | number) => {
		if (given !== undefined && madeUp !== undefined) samples.push({ kind, page, given, madeUp });
	};
	const plain = page.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
	for (const _ of countTo(3)) {
		const [line, foreign] = [pick(linesIn(page)), pick(linesIn(pick(others) ?? ''))];
		if (line === undefined || foreign === undefined) continue;
		const madeUp = quoted(foreign);
		const isNew = !plain.includes(madeUp.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ''));
		if (isNew) add('text', random() < 0.5 ? quoted(line) : quoted(line).toUpperCase(), madeUp);
	}
	const numbers = [...page.matchAll(/(?<=[\s(])\d{1,3}(?:,\d{3})*(?:\.\d{1,2})?(?=[\s)])/g)].map(
		([text]) => Number(text.replaceAll(',', '')),
	);
	const number = pick(numbers);
	const wrong = (number ?? 0) + 17 + Math.floor(random() * 900);
	if (!digitsIn(page).has(String(Math.floor(wrong)))) add('number', number, wrong);
	const found = datesIn(page);
	const date = pick(found);
	if (date) {
		const [year, month, day] = date;
		const known = found.map((each) => iso(...each));
		const other = iso(year, month, day + 1 + Math.floor(random() * 20));
		if (!known.includes(other)) add('date', iso(year, month, day), other);
	}
	const url = pick([...page.matchAll(/https:\/\/[\w./-]+[\w/](?=[\s)>"])/g)].map(([each]) => each));
	if (url !== undefined) add('URL', url, `${url.replace(/\/$/, '')}-${Math.floor(random() * 900)}`);
	return samples;
}

/** Ways in which models write what they found. */
const languages = ['en', 'de', 'fr', 'ja', 'zh'];

const share = (name: string, part: number, all: number, goal: Figure['goal']): Figure => ({
	name: `${name} (%, of ${all})`,
	digits: 1,
	ours: spreadOf([(100 * part) / all]),
	goal,
});

/** Whether made-up values are found and true ones are not marked, and what a large page takes. */
export const values: Bench = {
	about: 'values of real pages in five languages, and as many that are made up',
	async run(repeats) {
		const figures: Figure[] = [];
		const byKind = new Map<string, [found: number, marked: number, all: number]>();
		for (const language of languages) {
			const pages = [...pagesIn(language).values()];
			for (const page of pages) {
				const others = pages.filter((each) => each !== page);
				for (const sample of samplesOf(page, others)) {
					const { kind, given, madeUp } = sample;
					const missing = await valuesNotOnPage({ given, madeUp }, page);
					const [found, wrong] = ['madeUp', 'given'].map((path) => Number(missing.includes(path)));
					const before = byKind.get(kind) ?? [0, 0, 0];
					byKind.set(kind, [before[0] + found, before[1] + wrong, before[2] + 1]);
				}
			}
		}
		const sumOf = (place: number) =>
			[...byKind.values()].reduce((sum, counts) => sum + counts[place], 0);
		const [made, marked, all] = [0, 1, 2].map(sumOf);
		figures.push(
			share('made-up values that are found', made, all, { least: 97 }),
			share('true values that are marked', marked, all, { most: 3 }),
		);
		for (const [name, [found, wrong, count]] of byKind) {
			figures.push(
				share(`${name}: made-up values found`, found, count, undefined),
				share(`${name}: true values marked`, wrong, count, undefined),
			);
		}
		const text = [...pagesIn('de').values()].join('\n\n');
		const large = text.repeat(Math.ceil(1_000_000 / text.length)).slice(0, 1_000_000);
		const json = { name: 'Nicht da', price: 1.5, day: '2026-01-02', url: 'https://a.example/b' };
		const times: number[] = [];
		for (const _ of countTo(3 + repeats)) {
			const before = process.cpuUsage();
			await valuesNotOnPage(json, large);
			const { user, system } = process.cpuUsage(before);
			times.push((user + system) / 1000);
		}
		figures.push({
			name: 'CPU to compare a page of 1 MB (ms)',
			digits: 1,
			ours: spreadOf(times.slice(3)),
			goal: { most: 50 },
		});
		return figures;
	},
};
