import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../../runtime/api/endpoint';
import { operationError } from '../../../runtime/api/errors';
import { string } from '../../../runtime/form/field';
import { form } from '../../../runtime/form/form';
import { operation, type ReadContext, type Result } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { documentResult } from '../../documents/document';
import { markdownOf, passageResults, sourcePage } from '../../documents/passages';
import { outputField } from '../../../runtime/form/resultSettings';
import { jobId } from '../../fields/ids';
import { alsoAsk, maxTokens } from '../../fields/passages';
import { forUser } from '../../../runtime/api/sentence';

/**
 * The passages of a page that fit a question, or none with a notice.
 * @throws NodeOperationError if the page has no text
 */
async function passagesOf(
	document: Result,
	phrasings: readonly string[],
	most: number,
	context: ReadContext,
): Promise<Result[]> {
	const markdown = markdownOf(document.json);
	if (markdown === undefined) {
		throw operationError(
			'The scrape has no markdown to extract passages from',
			[
				forUser('Scrape the page with the format Markdown.'),
				forUser(`Leave 'Passage Query' empty to get the whole page.`),
			],
			context.errorSource,
		);
	}
	const found = await passageResults([sourcePage(document.json, markdown)], phrasings, most);
	if (found.length === 0) {
		context.notice(
			`No passage of the page matches 'Passage Query' (item ${context.errorSource.itemIndex}).`,
		);
	}
	return found;
}

const getScrape: Endpoint = {
	method: 'GET',
	path: '/scrape/{id}',
	bucket: 'crawlStatus',
	instead: `Use 'Scrape' with the URL.`,
	needsDatabase: true,
	keepsNone: 'scrapes',
};

/** GET /scrape/{jobId} (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get a scraped page',
	description:
		'Returns the result of an earlier scrape by its ID, or only passages that answer a question, without scraping again. Free.',
	costs: 'free',
	request: form({
		jobId: jobId(
			'ID of the scrape: metadata.scrapeId of its item; retained for 24 hours',
			'Scrape ID',
		),
		passageQuery: string({
			displayName: 'Passage Query',
			max: 500,
			placeholder: 'e.g. What does a berth cost in winter?',
			description:
				'Returns only passages that answer this, up to 500 characters; the whole page if empty',
		}),
		alsoAsk: alsoAsk({ displayOptions: { hide: { passageQuery: [''] } } }),
		maxTokens: maxTokens({ displayOptions: { hide: { passageQuery: [''] } } }),
	}),
	settings: [
		{ ...outputField, displayOptions: { show: { passageQuery: [''] } } },
		...settingsFields({ files: true, documents: true }),
	],
	async run({ jobId: id, passageQuery, alsoAsk: phrasings = [], maxTokens: most }, context) {
		const response = await context.send({ endpoint: getScrape, ids: { id } });
		const output = passageQuery === undefined ? context.settings.output : 'results';
		const document = documentResult(response.body as IDataObject, output, context);
		return passageQuery === undefined
			? [document]
			: await passagesOf(document, [passageQuery, ...phrasings], most, context);
	},
});
