import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** A PNG of a size, in one colour that the seed chooses. */
export function renderPng(width: number, height: number, seed: string): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	// 8 bits per pixel, palette.
	header.set([8, 3], 8);
	const colour = createHash('sha256').update(seed).digest().subarray(0, 3);
	return Buffer.concat([
		Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
		chunk('IHDR', header),
		chunk('PLTE', colour),
		chunk('IDAT', deflateSync(Buffer.alloc((1 + width) * height))),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const framed = Buffer.alloc(body.length + 8);
	framed.writeUInt32BE(data.length, 0);
	body.copy(framed, 4);
	framed.writeUInt32BE(crc32(body), body.length + 4);
	return framed;
}

/** The beginning of an MP4. */
export const mp4 = Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom', 'latin1');

/** A PDF of the small web: its Markdown between a PDF's first and last line. A rule begins a new page. */
export const renderPdf = (title: string, markdown: string): Buffer =>
	Buffer.from(`%PDF-1.7\n# ${title}\n\n${markdown}\n%%EOF\n`);

export interface ParsedPdf {
	title?: string;
	markdown: string;
	pages: Array<{ pageNumber: number; markdown: string }>;
	totalPages: number;
}

/** The text of a PDF. Of one that is not of the small web, the texts that it shows uncompressed. */
export function parsePdf(
	body: Buffer,
	{ maxPages = Infinity, pageMarkers = false }: { maxPages?: number; pageMarkers?: boolean } = {},
): ParsedPdf {
	const text = body.toString('utf8');
	if (!text.startsWith('%PDF-')) throw new Error('No PDF');
	const [, own] = /^%PDF-1\.7\n(# [\s\S]*)\n%%EOF\n$/.exec(text) ?? [];
	const all = own === undefined ? foreignPages(text) : own.split(/\n---\n/);
	const pages = all.slice(0, maxPages).map((page, index) => ({
		pageNumber: index + 1,
		markdown: page.trim(),
	}));
	const markdown = pages
		.map((page, index) =>
			index > 0 && pageMarkers
				? `---\n\n<!-- page ${page.pageNumber} -->\n\n${page.markdown}`
				: page.markdown,
		)
		.join('\n\n');
	const title = own && /^# (.*)/.exec(own)?.[1];
	return { title, markdown, pages, totalPages: all.length };
}

function foreignPages(text: string): string[] {
	const count = [...text.matchAll(/\/Type\s*\/Page\b/g)].length;
	const shown = [...text.matchAll(/\(((?:\\.|[^\\)])*)\)\s*Tj/g)].map(([, words]) => words);
	return [shown.join('\n\n'), ...Array<string>(Math.max(0, count - 1)).fill('')];
}
