import { convert } from '../../tools/convert/convert.cjs';
import { samples, type Sample } from '../convert/samples.cjs';

const results = { whole: 'whole', part: 'in part', kept: 'not' };

/** Whether a sample is run before and after its conversion, or why not. */
function proofOf({ reads, notRun, operations }: Sample): string {
	if (reads !== undefined) return 'asks and reads the same';
	return notRun ?? (operations.length === 0 ? 'There is nothing to run.' : '');
}

function rowOf(name: string, sample: Sample): string {
	const { report } = convert(sample.workflow);
	const becomes = report.rows.map(({ after }) => after).join('; ') || 'no node of the service';
	const reasons = report.rows.flatMap((row) => row.reasons).join(' ');
	return `| ${[name, becomes, results[sample.converts], reasons, proofOf(sample)].join(' | ')} |`;
}

/** The page with what becomes of each sample workflow. */
export function conversions(): string {
	const all = Object.entries(samples);
	const count = (state: Sample['converts']) =>
		all.filter(([, { converts }]) => converts === state).length;
	const run = all.filter(([, { reads }]) => reads !== undefined).length;
	return `# What becomes of the sample workflows?

<!-- Written by npm run docs. -->

The converter is tested with ${all.length} workflows of the kinds that were found in public: ${count('whole')} convert whole, ${count('part')} in part, ${count('kept')} not.
${run} of them are run in n8n's engine before and after the conversion: what they ask of the service, and what later nodes read, is the same.
[What becomes of which node](../migrate.md) is a page of its own.

| Workflow | Becomes | Converts | Why not | Run before and after |
|---|---|---|---|---|
${all.map(([name, sample]) => rowOf(name, sample)).join('\n')}
`;
}
