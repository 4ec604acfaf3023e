declare module 'turndown-plugin-gfm' {
	import type TurndownService from 'turndown';
	/** Tables, strikethrough and task lists of GitHub's Markdown. */
	export const gfm: TurndownService.Plugin;
}
