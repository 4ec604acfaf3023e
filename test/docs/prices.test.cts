import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prices } from '../../nodes/WebData/fields/prices';
import { resources } from '../../nodes/WebData/resources';
import { projectRoot } from '../root.cjs';

/** A number of credits: "4 credits", "+4", "2 more credits", "1 per page" … */
const figure = /\b\d+(?:,\d{3})*(?: more)? credits?\b|\+\d+ (?:per|for)|\bcosts? \d+/g;

const figuresIn = (text: string): string[] => text.match(figure) ?? [];

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

const filesOf = (folder: string, ending: string): string[] =>
	readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(ending))
		.map((file) => `${folder}/${file}`);

describe('a price', () => {
	it.each([
		['Fields extracted by a model, +4 credits', ['4 credits']],
		['JSON, 4 more credits each', ['4 more credits']],
		['PDFs +1 per further page', ['+1 per']],
		['each page costs 1 or more', ['costs 1']],
		['returns 10 results', []],
	])('is found in "%s"', (text, figures) => {
		expect(figuresIn(text)).toEqual(figures);
	});

	it('stands in the shipped code once, in its table', () => {
		const sources = [...filesOf('nodes', '.ts'), ...filesOf('credentials', '.ts')];
		const twice = sources.flatMap((file) =>
			figuresIn(read(file)).map((found) => `${file}: ${found}`),
		);
		expect(twice).toEqual([]);
	});

	it.each(['README.md', 'examples/README.md', ...filesOf('docs', '.md')])(
		'that %s names is one of the table',
		(file) => {
			// Made of the descriptions, or of numbers that a reader gave.
			if (['docs/operations.md', 'docs/prices.md', 'docs/benchmarks.md'].includes(file)) return;
			const known = new Set(Object.values(prices).map(({ credits }) => credits));
			const strange = figuresIn(read(file)).filter(
				(found) => !known.has(Number(found.replace(/[^\d]/g, ''))),
			);
			expect(strange).toEqual([]);
		},
	);

	it('that the table of the README names is one of its operations', () => {
		const numbers = (text: string): string[] => text.match(/\d+(?:,\d{3})*/g) ?? [];
		const rows = read('README.md')
			.split('\n')
			.flatMap((row) => /^\| \[(.+?)\]\(docs\/operations.*\| (.+?) \|$/.exec(row)?.slice(1) ?? []);
		const told = resources.map(({ name }) => rows[rows.indexOf(name) + 1]);
		expect(rows).toHaveLength(2 * resources.length);
		const strange = resources.flatMap(({ name, operations }, index) => {
			const own = operations.flatMap(({ costs, description }) => numbers(costs + description));
			const isFree = operations.every(({ costs }) => costs === 'free');
			return numbers(told[index]).every((each) => own.includes(each)) &&
				isFree === (told[index] === 'free')
				? []
				: `${name}: ${told[index]}`;
		});
		expect(strange).toEqual([]);
	});
});
