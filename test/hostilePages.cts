const times = (unit: string, size: number) =>
	unit.repeat(Math.max(1, Math.floor(size / unit.length)));

/** As many list items as come to a size, all different and of as many words. */
const manyItems = (size: number) =>
	Array.from({ length: Math.ceil(size / 20) }, (_, item) => `- tide ${item} and ${item % 97}`);

const nestedHeadings = (size: number) =>
	[1, 2, 3, 4, 5, 6].map((level) => `${'#'.repeat(level)} ${times('tide ', size / 6)}`);

/** Pages of Markdown, bad by their structure: each of about so many characters, and about tides where it has words. */
export const hostilePages: Readonly<Record<string, (size: number) => string>> = {
	'a long heading above many short blocks': (size) =>
		`# ${times('tide ', size / 2)}\n\n${times('tide 1.\n\n', size / 2)}`,
	'a long heading above many short sections': (size) =>
		`# ${times('tide ', size / 2)}\n\n${times('## x\n\ntide 1.\n\n', size / 2)}`,
	'nested long headings above many short blocks': (size) =>
		[...nestedHeadings(size / 2), times('tide 1.\n\n', size / 2)].join('\n\n'),
	'a long table head above many short rows': (size) =>
		`| ${times('tide ', size / 2)}|\n|---|\n${times('| tide 1 |\n', size / 2)}`,
	'a heading above each word': (size) => times('# a\n\ntide\n\n', size),
	'an underlined heading in every line': (size) => times('a\n--\n', size),
	'a table of a row again and again': (size) => times('| a |\n|---|\n| tide |\n\n', size),
	'heads of tables and no rows': (size) => times('|-\n', size),
	'list items of one word': (size) => times('- tide\n', size),
	'list items of different words': (size) => manyItems(size).join('\n'),
	'fence lines': (size) => times('```\n', size),
	'lone backticks': (size) => times('` `` ', size),
	'images without an end': (size) => times('![](', size),
	'images of a tracker': (size) => times('![](t.co/i/adsct)', size),
	'images of one letter': (size) => times('![](t)', size),
	'characters that nobody sees': (size) => times('\u200b', size),
	'one line without an end': (size) => times('tide ', size),
	'one line of one character': (size) => times('x', size),
	'sentences in one line': (size) => times('a tide. ', size),
	'a script without spaces': (size) => times('潮汐', size),
	'empty lines': (size) => times('\n', size),
};
