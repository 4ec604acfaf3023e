import type { RenderedPage } from './site.cjs';

/** A host of pages that are made when they are asked for: `/pages/1.md` to `/pages/<pages>.md`. */
export const bulkHost = 'bulk.example';

export interface Bulk {
	/** How many there are besides the start page; with 0 the host does not exist. */
	pages: number;
	/** Size of each, in bytes. */
	bytes: number;
}

/**
 * What the host answers at a path. The pages are Markdown files (`text/markdown`), which nobody has to
 * convert; start page and sitemap list them all.
 */
export function bulkAnswer(path: string, { pages, bytes }: Bulk): RenderedPage {
	const [, number = '0'] = /^\/pages\/([1-9]\d*)\.md$/.exec(path) ?? [];
	if (Number(number) >= 1 && Number(number) <= pages) {
		const heading = `# Bulk page ${number}\n\n`;
		return answer(200, 'text/markdown; charset=utf-8', heading + filler(bytes - heading.length));
	}
	const paths = Array.from({ length: pages }, (_, index) => `/pages/${index + 1}.md`);
	if (path === '/') {
		const links = paths.map((each) => `<li><a href="${each}">${each}</a></li>`);
		const html = `<!doctype html><html lang="en"><head><title>Bulk</title></head>
<body><main><h1>Bulk</h1><ul>${links.join('\n')}</ul></main></body></html>`;
		return answer(200, 'text/html; charset=utf-8', html);
	}
	if (path === '/robots.txt') {
		const text = `User-agent: *\nDisallow:\n\nSitemap: https://${bulkHost}/sitemap.xml\n`;
		return answer(200, 'text/plain; charset=utf-8', text);
	}
	if (path === '/sitemap.xml') {
		const entries = paths.map((each) => `<url><loc>https://${bulkHost}${each}</loc></url>`);
		const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('\n')}</urlset>
`;
		return answer(200, 'application/xml; charset=utf-8', xml);
	}
	return answer(404, 'text/html; charset=utf-8', '<!doctype html><h1>Not Found</h1>');
}

const sentence = 'Tide after tide the gauge writes down the height of the water. ';

/** Kept from page to page: the pages differ by their headings. */
let longest = sentence;

function filler(bytes: number): string {
	if (longest.length < bytes) longest = sentence.repeat(Math.ceil(bytes / sentence.length));
	return longest.slice(0, Math.max(0, bytes));
}

function answer(status: number, contentType: string, text: string): RenderedPage {
	return { status, headers: { 'content-type': contentType }, body: Buffer.from(text) };
}
