import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { columnTable } from './columnTable.cjs';
import { inLines } from './resultTable.cjs';

const changeSchema = z.object({
	url: z.string(),
	status: z.string(),
	judgment: z.object({ reason: z.string() }).nullish(),
	diff: z.object({ text: z.string().optional() }).nullish(),
});

/** The lines that came and went, without the places where they stand. */
const linesOf = (diff = ''): string =>
	diff
		.split('\n')
		.filter((line) => /^[+-](?![+-])./.test(line))
		.join('\n');

/** Events of watched pages as a table: which page, what happened to it, and why that matters. */
export function changeTable(items: IDataObject[], width: number): string {
	const changeOf = (item: IDataObject) => changeSchema.parse(item);
	return columnTable(
		items,
		[
			{ head: 'URL', share: 3, cell: (item, room) => inLines(changeOf(item).url, room) },
			{ head: 'Status', width: 11, cell: (item) => changeOf(item).status },
			{ head: 'Change', share: 4, cell: (item) => linesOf(changeOf(item).diff?.text) },
			{ head: 'Why it matters', share: 3, cell: (item) => changeOf(item).judgment?.reason ?? '' },
		],
		width,
	);
}
