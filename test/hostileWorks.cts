import type { IExecuteFunctions } from 'n8n-workflow';
import { toolResult } from '../nodes/runtime/tool/toolResult';
import { passageResults, sourcePage, type SourcePage } from '../nodes/WebData/documents/passage';

const url = 'https://tidewatch.example/';
const question = 'tide';

/** A page as one that passages are taken of. */
const sourceOf = (markdown: string): SourcePage =>
	sourcePage({ metadata: { title: 'Tides', url, statusCode: 200 } }, markdown);

/** What is made of a page, each by its name. */
export const hostileWorks: Readonly<Record<string, (markdown: string) => Promise<unknown[]>>> = {
	passages: async (markdown) => await passageResults([sourceOf(markdown)], [question], 1_500),
	'a tool result': async (markdown) =>
		await toolResult(
			{} as IExecuteFunctions,
			{ results: [{ json: { markdown } }], question },
			5_000,
		),
};
