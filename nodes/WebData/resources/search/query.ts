import { isOn, membersOf } from '../../../runtime/contract';
import { additionalFields, propertiesOf } from '../../../runtime/form';
import { inquiry } from '../../../runtime/operation';
import { isRecord } from '../../../runtime/record';
import { asRecord, noticesIn } from '../../../runtime/results';
import { settingsFields } from '../../../runtime/settings';
import { searchFormatFields } from '../../fields/formatFields';
import { limitFields } from '../../fields/limit';
import { outputField } from '../../fields/output';
import { queryField } from '../../fields/query';
import { queryOperatorsField, withQueryOperators } from '../../fields/queryOperators';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import {
	readScrapeOptions,
	scrapeOptionMembers,
	searchReadingFields,
} from '../../fields/scrapeOptions';
import { sources } from '../../fields/sources';
import { withoutEffect } from '../../fields/withoutEffect';
import { narrowing } from './narrowing';
import { maxLimit, searchOptions, searchRequest, searchResults, sendSearch } from './request';

/** POST /search (api-v2). */
export const query = inquiry({
	name: 'Query',
	value: 'query',
	action: 'Search the web',
	description:
		'Searches the web, news, images, papers, US law or developer sources and returns title, address and description of each result. With Read Pages it reads the pages too. 2 credits per 10 results, and 1 or more for each page that is read.',
	fields: [
		queryField({
			placeholder: 'e.g. heat pump subsidies 2026',
			description:
				'What to search for, up to 500 characters; may use operators such as site: and quotes',
		}),
		...limitFields({
			initial: 10,
			max: maxLimit,
			description: 'Max number of results per source, 1 to 100; every 10 results cost 2 credits',
		}),
		...propertiesOf({ sources }),
		{
			displayName: 'Read Pages',
			name: 'readPages',
			type: 'boolean',
			default: false,
			description: 'Whether to read the page of each result too, 1 credit each or more',
		},
		...searchFormatFields,
		...searchReadingFields,
		...propertiesOf(additionalFields({ ...narrowing, ...searchOptions, requestJson })),
		queryOperatorsField,
		outputField,
		...settingsFields({ answers: true, documents: true }),
	],
	costs: '2 credits per 10 results, and each page as a scrape',
	contract: withRequestJson(withQueryOperators(searchRequest), Object.keys(scrapeOptionMembers)),
	hints: ({ enterprise, scrapeOptions: reading }) => withoutEffect({ enterprise, ...reading }),
	read: ({ returnAll, limit, additionalFields, ...values }) => ({
		query: values.query,
		queryOperators: values.queryOperators,
		limit: isOn(returnAll) ? maxLimit : limit,
		sources: values.sources,
		scrapeOptions: isOn(values.readPages) ? readScrapeOptions(values) : undefined,
		...membersOf(additionalFields),
	}),
	async run(body, { output }, call) {
		const answer = await sendSearch(body, call);
		const response = asRecord(answer.body);
		noticesIn(response).forEach(call.notice);
		if (output === 'response' && isRecord(answer.body)) return [{ json: response }];
		return searchResults(answer, body, call);
	},
});
