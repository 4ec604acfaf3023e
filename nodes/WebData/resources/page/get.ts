import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../../runtime/api/endpoint';
import { operationError } from '../../../runtime/api/errors';
import { string } from '../../../runtime/form/field';
import { form } from '../../../runtime/form/form';
import { operation, type ReadContext, type Result } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { documentOptions } from '../../fields/pageOptions';
import { documentResult } from '../../documents/document';
import { markdownOf, passageResults, sourcePage } from '../../documents/passages';
import { outputField } from '../../fields/output';
import { jobId } from '../../fields/jobId';
import { maxTokens } from '../../fields/passages';

/**
 * The passages of a page that answer a question, or none with a notice.
 * @throws NodeOperationError when the page was not read as text
 */
async function passagesOf(
	document: Result,
	question: string,
	most: number,
	context: ReadContext,
): Promise<Result[]> {
	const markdown = markdownOf(document.json);
	if (markdown === undefined) {
		throw operationError(
			'The scrape has no markdown to take passages from',
			`Scrape the page with the format Markdown, or leave 'Passages About' empty to get what there is.`,
			context.errorSource,
		);
	}
	const found = await passageResults([sourcePage(document.json, markdown)], question, most);
	if (found.length === 0) {
		context.notice(
			`No passage of the page has a word of 'Passages About' (item ${context.errorSource.itemIndex}).`,
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
		'Returns the result of an earlier scrape by its ID, or only its passages about a question, without visiting the page again. Free.',
	costs: 'free',
	request: form({
		jobId: jobId(
			'ID of the scrape, as its metadata.scrapeId names it; kept for 24 hours',
			'Scrape ID',
		),
		passagesAbout: string({
			displayName: 'Passages About',
			max: 500,
			placeholder: 'e.g. What does a berth cost in winter?',
			description:
				'Returns only the passages of the page that answer this, up to 500 characters; the whole page when empty',
		}),
		maxTokens: maxTokens({ displayOptions: { hide: { passagesAbout: [''] } } }),
	}),
	settings: [
		{ ...outputField, displayOptions: { show: { passagesAbout: [''] } } },
		...settingsFields({ files: true }, documentOptions),
	],
	async run({ jobId: id, passagesAbout, maxTokens: most }, values, context) {
		const response = await context.send({ endpoint: getScrape, ids: { id } });
		const about = passagesAbout === undefined ? values : { ...values, output: 'results' };
		const document = documentResult(response.body as IDataObject, about, context);
		return passagesAbout === undefined
			? [document]
			: await passagesOf(document, passagesAbout, most, context);
	},
});
