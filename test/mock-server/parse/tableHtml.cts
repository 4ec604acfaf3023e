import { escapeHtml } from '../../site/escapeHtml.cjs';

/** Rows of text as an HTML table; the first one is its head. */
export function tableHtml(rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[], tag: 'th' | 'td'): string =>
		`<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
	const [head, ...body] = rows;
	if (!head) return '';
	const lines = body.map((cells) => line(cells, 'td')).join('\n');
	return `<table><thead>${line(head, 'th')}</thead><tbody>\n${lines}\n</tbody></table>`;
}
