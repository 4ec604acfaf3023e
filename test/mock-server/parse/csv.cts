/** The rows of comma-separated text (RFC 4180): quoted fields may hold commas, quotes and line breaks. */
export function csvRows(text: string): string[][] {
	const rows: string[][] = [];
	let row: string[] = [];
	const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
	const source = text.replace(/^\ufeff/, '');
	while (field.lastIndex < source.length) {
		const match = field.exec(source);
		if (!match) throw new Error('Not comma-separated text');
		const [, quoted, plain, end] = match;
		row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
		if (end === ',' && field.lastIndex < source.length) continue;
		if (end === ',') row.push('');
		rows.push(row);
		row = [];
	}
	return rows;
}
