import type { Workflow } from './workflow.cjs';

/** What became of a node that asks the service. */
export interface Row {
	node: string;
	/** What it was, and what it is now. */
	before: string;
	after: string;
	/** Whether all of it was converted, a part, or nothing. */
	state: 'whole' | 'part' | 'kept';
	/** What was lost or could not be done. */
	reasons: string[];
	/** What is otherwise, as meant, and what to do. */
	notes: string[];
}

export interface Report {
	rows: Row[];
	/** Where keys stand in plain text. */
	keys: string[];
}

/** A converted workflow, and what became of its nodes. */
export interface Conversion {
	workflow: Workflow;
	report: Report;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** How many nodes were converted whole, in part, not at all. */
export function summaryOf({ rows }: Report): string {
	if (rows.length === 0) return 'No node of this workflow asks the service.';
	const of = (state: Row['state']) => rows.filter((row) => row.state === state).length;
	return `${count(rows.length, 'node')}: ${of('whole')} converted whole, ${of('part')} in part, ${of('kept')} not converted.`;
}

/** What to do with the result. */
export function stepsAfter({ rows, keys }: Report): string[] {
	const converted = rows.filter(({ state }) => state !== 'kept');
	return [
		...(converted.length > 0
			? [
					`Choose a credential of the type Web Data API in: ${converted.map(({ node }) => node).join(', ')}. Those of other types cannot be carried over.`,
				]
			: []),
		...keys.map(
			(place) =>
				`A key stands in plain text in ${place}: make it invalid at the service, and put a new one into a credential.`,
		),
	];
}

/** The report as text for a terminal. */
export function reportText(report: Report): string {
	const rows = report.rows.flatMap(({ node, before, after, state, reasons, notes }) => [
		`${{ whole: '✔', part: '◐', kept: '✖' }[state]} ${node}: ${before} → ${after}`,
		...[...reasons, ...notes].map((line) => `    ${line}`),
	]);
	return [...rows, summaryOf(report), ...stepsAfter(report).map((step) => `→ ${step}`)].join('\n');
}
