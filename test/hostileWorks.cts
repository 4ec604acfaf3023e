import { limitToolResult } from '../nodes/runtime/output/limitToolResult';
import { passageResults, sourcePage } from '../nodes/WebData/documents/passages';
import { itemsOf } from '../nodes/WebData/resources/site/items';

const url = 'https://tidewatch.example/';
const question = 'tide';

/** What is made of a page of Markdown, each by its name. */
export const hostileWorks: Readonly<
	Record<string, (markdown: string, page?: { url?: string; title?: string }) => Promise<unknown[]>>
> = {
	passages: async (markdown) =>
		await passageResults(
			[sourcePage({ metadata: { title: 'Tides', url, statusCode: 200 } }, markdown)],
			question,
			1_500,
		),
	chunks: async (markdown) =>
		await itemsOf(
			{
				removed: [],
				released: [],
				changed: [],
				added: [{ pageId: 'p', url, title: 'Tides', markdown }],
				unchanged: 0,
				missing: [],
			},
			50,
			{ readBy: 'crawl', creditsUsed: 1 },
		),
	'a tool result': async (markdown) =>
		await limitToolResult([{ json: { markdown } }], [], {
			max: 5_000,
			question,
			fence: { mark: 'f', htmlTexts: new Set() },
		}),
};
