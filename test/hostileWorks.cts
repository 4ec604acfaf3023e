import { limitToolResult } from '../nodes/runtime/output/limitToolResult';
import type { Result } from '../nodes/runtime/operation/operation';
import { passageResults, sourcePage, type SourcePage } from '../nodes/WebData/documents/passages';
import { itemsOf } from '../nodes/WebData/resources/site/items';

const url = 'https://tidewatch.example/';
const question = 'tide';

/** A page as one that passages are taken of. */
export const sourceOf = (markdown: string): SourcePage =>
	sourcePage({ metadata: { title: 'Tides', url, statusCode: 200 } }, markdown);

/** The smallest chunks of a page that a site has got. */
export const chunkItems = async (
	markdown: string,
	page: { url?: string; title?: string } = {},
): Promise<Result[]> =>
	await itemsOf(
		{
			removed: [],
			released: [],
			changed: [],
			added: [{ pageId: 'p', url, title: 'Tides', markdown, ...page }],
			unchanged: 0,
			missing: [],
		},
		50,
		{ readBy: 'crawl', creditsUsed: 1 },
	);

/** What is made of a page, each by its name. */
export const hostileWorks: Readonly<Record<string, (markdown: string) => Promise<unknown[]>>> = {
	passages: async (markdown) => await passageResults([sourceOf(markdown)], [question], 1_500),
	chunks: chunkItems,
	'a tool result': async (markdown) =>
		await limitToolResult([{ json: { markdown } }], [], {
			max: 5_000,
			question,
			fence: 'f',
		}),
};
