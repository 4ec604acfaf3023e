/** A picture of one dot. */
export const png = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
	'base64',
);

/** The head of a frame of MPEG-1 layer III. */
export const mp3 = Buffer.from([0xff, 0xfb, 0x90, 0x00]);

/** The beginning of an MP4. */
export const mp4 = Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom', 'latin1');

/** A PDF of the small web: its Markdown between a PDF's first and last line. A rule begins a new page. */
export const renderPdf = (title: string, markdown: string): Buffer =>
	Buffer.from(`%PDF-1.7\n# ${title}\n\n${markdown}\n%%EOF\n`);

/** The text of a PDF of the small web, whole and page by page; any other is one without text. */
export function parsePdf(body: Buffer, maxPages = Infinity) {
	const text = body.toString('utf8');
	if (!text.startsWith('%PDF-')) throw new Error('No PDF');
	const [, own = ''] = /^%PDF-1\.7\n(# [\s\S]*)\n%%EOF\n$/.exec(text) ?? [];
	const all = own.split(/\n---\n/);
	const pages = all.slice(0, maxPages).map((page) => page.trim());
	return { title: /^# (.*)/.exec(own)?.[1], pages, numPages: pages.length, totalPages: all.length };
}
