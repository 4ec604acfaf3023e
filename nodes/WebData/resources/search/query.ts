import { readOnlyOperation } from '../../../runtime/operation/operation';
import { isRecord } from '../../../runtime/values/record';
import { asRecord, listsIn } from '../../../runtime/output/results';
import { noticeMissingFormats } from '../../documents/requestedFormats';
import { settingsFields } from '../../../runtime/form/options';
import { outputField } from '../../../runtime/form/resultSettings';
import { withoutEffect } from '../../fields/withoutEffect';
import { noticeLoweredLimit } from './loweredLimit';
import { searchRequest, searchResults, sendSearch } from './request';
import { costOf } from '../../fields/prices';

/** POST /search (https://docs.firecrawl.dev/api-reference/endpoint/search). */
export const query = readOnlyOperation({
	name: 'Query',
	value: 'query',
	action: 'Search the web',
	description: `Searches the web, news, images, papers, US law or developer sources and returns title, URL and description of each result. ${costOf('tenResults')} per 10 results, and ${costOf('page')} or more for each page that is scraped as well.`,
	costs: `${costOf('tenResults')} per 10 results, and each page as a scrape`,
	request: searchRequest,
	settings: [outputField, ...settingsFields({ responds: true, files: true, documents: true })],
	hints: ({ enterprise, scrapeOptions }) => withoutEffect({ enterprise, ...scrapeOptions }),
	async run(body, context) {
		const { output } = context.settings;
		const response = await sendSearch(body, context);
		const payload = asRecord(response.body);
		const isWhole = output === 'response' && isRecord(response.body);
		const results = isWhole ? [{ json: payload }] : await searchResults(response, body, context);
		const pages = listsIn(payload)
			.filter(([source]) => source === 'web' || source === 'news')
			.flatMap(([, entries]) => entries.map(asRecord));
		noticeMissingFormats(body, pages, context);
		await noticeLoweredLimit(body.limit, payload, context);
		return results;
	},
});
