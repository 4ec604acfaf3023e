import { load } from 'cheerio';
import { posix } from 'node:path';

import type { Archive } from './archive.cjs';

/** An e-book as HTML: the bodies of its documents in reading order, and its title. */
export function epubHtml(archive: Archive): { html: string; title: string } {
	const path = archive.xml('META-INF/container.xml')('rootfile').attr('full-path') ?? '';
	const $ = archive.xml(path);
	const bodies = $('spine itemref')
		.toArray()
		.map(({ attribs }) => {
			const item = $('manifest item').filter((_, each) => each.attribs.id === attribs.idref);
			const source = archive.text(posix.join(posix.dirname(path), item.attr('href') ?? ''));
			return load(source ?? '')('body').html() ?? '';
		});
	return { html: bodies.join('\n'), title: $('dc\\:title').first().text() };
}
