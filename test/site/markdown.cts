import MarkdownIt from 'markdown-it';

import { renderPng } from './images.cjs';
import type { SiteImage } from './site.cjs';

/**
 * Images in the page files are written `![title](/media/<name>-<width>x<height>.png)`: the address
 * says the size, so that page, `<img>` and file agree. `/inline/` in place of `/media/` puts the
 * image into the page itself, as a base64 data URL.
 */
const imagePath = /^\/(media|inline)\/[a-z0-9-]+-(\d+)x(\d+)\.png$/;

const markdownIt = new MarkdownIt({ linkify: false });

markdownIt.renderer.rules.image = (tokens, index, options, _env, renderer) => {
	const token = tokens[index];
	const path = token?.attrGet('src') ?? '';
	const size = imageSize(path);
	if (token && size) {
		token.attrSet('alt', token.content);
		token.attrSet('width', String(size.width));
		token.attrSet('height', String(size.height));
		if (path.startsWith('/inline/')) {
			const png = renderPng(size.width, size.height, path);
			token.attrSet('src', `data:image/png;base64,${png.toString('base64')}`);
		}
	}
	return renderer.renderToken(tokens, index, options);
};

/** HTML of a Markdown text. */
export function markdownToHtml(markdown: string): string {
	return markdownIt.render(markdown);
}

/** Block and inline tokens of a Markdown text, for other renderers. */
export function markdownTokens(markdown: string): ReturnType<MarkdownIt['parse']> {
	return markdownIt.parse(markdown, {});
}

/** Pixels, as said by an image's path; undefined when the path is not an image's. */
export function imageSize(path: string): { width: number; height: number } | undefined {
	const [, , width, height] = imagePath.exec(path) ?? [];
	return width && height ? { width: Number(width), height: Number(height) } : undefined;
}

/** The images that a page shows by address (inline ones have none). */
export function imagesIn(markdown: string, pageUrl: string): SiteImage[] {
	return [...markdown.matchAll(/!\[([^\]]*)\]\((\/media\/[^)\s]+)\)/g)].flatMap(
		([, title = '', path = '']) => {
			const size = imageSize(path);
			return size ? [{ url: new URL(path, pageUrl).href, title, ...size, pageUrl }] : [];
		},
	);
}
