import Table from 'cli-table3';
import {
	isMet,
	type Bench,
	type Column,
	type Figure,
	type Findings,
	type Value,
} from './bench.cjs';
import { titles } from './contenders.cjs';

/** Those whose figures a bench shows, in the order of the tables. */
const contendersIn = ({ figures }: Findings): Column[] =>
	(Object.keys(titles) as Column[]).filter((contender) =>
		figures.some(({ of }) => of[contender] !== undefined),
	);

/** A value in words: the median, and the spread where there is any. */
function shown(value: Value | undefined, digits = 0): string {
	if (value === undefined) return '';
	if (typeof value === 'string') return value;
	const words = (number: number) => number.toFixed(digits);
	if (typeof value === 'number') return words(value);
	const { median, least, most } = value;
	return words(least) === words(most)
		? words(median)
		: `${words(median)} (${words(least)} to ${words(most)})`;
}

const goalsOf = ({ goals = [] }: Figure) => goals.map(({ words }) => words).join('; ');

const verdictOf = ({ goals = [] }: Figure) =>
	goals.map((goal) => (isMet(goal) ? 'yes' : 'NO')).join('; ');

/** The table of a bench, for the terminal. */
export function tableOf({ name, about }: Bench, findings: Findings): string {
	const contenders = contendersIn(findings);
	const table = new Table({
		head: ['', ...contenders.map((contender) => titles[contender]), 'goal', 'met'],
		style: { head: [], border: [] },
	});
	for (const figure of findings.figures) {
		const values = contenders.map((contender) => shown(figure.of[contender], figure.digits));
		table.push([figure.name, ...values, goalsOf(figure), verdictOf(figure)]);
	}
	const notes = (findings.notes ?? []).map((note) => `  ${note}\n`).join('');
	return `${name}: ${about}\n${table.toString()}\n${notes}`;
}

/** The same as a table of docs/benchmarks.md. */
export function markdownOf({ name, about }: Bench, findings: Findings): string {
	const contenders = contendersIn(findings);
	const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
	const head = [`\`${name}\``, ...contenders.map((contender) => titles[contender]), 'Goal'];
	const rows = findings.figures.map((figure) => [
		figure.name,
		...contenders.map((contender) => shown(figure.of[contender], figure.digits)),
		figure.goals ? `${goalsOf(figure)}${figure.goals.every(isMet) ? '' : ' (missed)'}` : '',
	]);
	const notes = (findings.notes ?? []).map((note) => `${note}\n`).join('\n');
	return [about, '', row(head), row(head.map(() => '---')), ...rows.map(row), '', notes].join('\n');
}
