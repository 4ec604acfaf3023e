import TurndownService from 'turndown';
import { gfm } from 'turndown-plugin-gfm';

const turndown = new TurndownService({
	headingStyle: 'atx',
	codeBlockStyle: 'fenced',
	bulletListMarker: '-',
	hr: '---',
}).use(gfm);
turndown.remove(['button', 'video', 'input']);

/** HTML as Markdown. Embedded images keep their alt text; their data gives way to a placeholder. */
export function toMarkdown(html: string, removeBase64Images: boolean): string {
	const markdown = turndown.turndown(html);
	if (!removeBase64Images) return markdown;
	return markdown.replace(/(!\[[^\]]*\])\(data:[^)]*\)/g, '$1(<Base64-Image-Removed>)');
}
