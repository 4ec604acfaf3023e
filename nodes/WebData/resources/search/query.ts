import { isOn, membersOf } from '../../../runtime/contract';
import { propertiesOf } from '../../../runtime/form';
import { inquiry } from '../../../runtime/operation';
import { isRecord } from '../../../runtime/record';
import { asRecord, noticesIn } from '../../../runtime/results';
import { settingsFields } from '../../../runtime/settings';
import { searchFormatFields } from '../../fields/formatFields';
import { limitFields } from '../../fields/limit';
import { outputField } from '../../fields/output';
import { queryField } from '../../fields/query';
import { queryOperatorsField, withQueryOperators } from '../../fields/queryOperators';
import { requestJsonField, withRequestJson } from '../../fields/requestJson';
import {
	readScrapeOptions,
	scrapeOptionMembers,
	searchReadingFields,
} from '../../fields/scrapeOptions';
import { sourcesField } from '../../fields/sources';
import { tbsField } from '../../fields/tbs';
import { threatProtection } from '../../fields/threatProtection';
import { toolDetail } from '../../fields/toolDetail';
import { withoutEffect } from '../../fields/withoutEffect';
import {
	categoriesField,
	countryField,
	excludeDomainsField,
	includeDomainsField,
	languageField,
	searchLocationField,
} from './narrowing';
import { maxLimit, searchRequest, searchResults, sendSearch } from './request';

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
		sourcesField,
		{
			displayName: 'Read Pages',
			name: 'readPages',
			type: 'boolean',
			default: false,
			description: 'Whether to read the page of each result too, 1 credit each or more',
		},
		...searchFormatFields,
		...searchReadingFields,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				categoriesField,
				{
					displayName: 'Client Model',
					name: 'clientModel',
					type: 'string',
					default: '',
					placeholder: 'e.g. gpt-5',
					description:
						'Name of the AI model that asks, up to 128 characters; for the service to know, without effect on the results',
				},
				countryField,
				{
					displayName: 'Domain Tools',
					name: 'domainTools',
					type: 'boolean',
					default: true,
					description:
						'Whether to add data tools offered by the domains of the results; free, the team must have the feature',
				},
				{
					displayName: 'Enterprise',
					name: 'enterprise',
					type: 'multiOptions',
					default: [],
					options: [
						{
							name: 'Anonymized',
							value: 'anon',
							description: 'Anonymized zero data retention, 2 credits per 10 results',
						},
						{
							name: 'Default',
							value: 'default',
							description: 'As the team keeps its data, 2 credits per 10 results',
						},
						{
							name: 'Zero Data Retention',
							value: 'zdr',
							description: 'End to end, 10 credits per 10 results',
						},
					],
					description: 'How little the service may keep; the team must have the feature',
				},
				excludeDomainsField,
				{
					displayName: 'Filter',
					name: 'filter',
					type: 'string',
					default: '',
					placeholder: 'e.g. 0',
					description: "Filter of the search engine, as Google's parameter of that name",
				},
				{
					displayName: 'Highlights',
					name: 'highlights',
					type: 'boolean',
					default: false,
					description:
						'Whether descriptions show the passages that fit the query; they do unless told not to',
				},
				{
					displayName: 'Ignore Invalid URLs',
					name: 'ignoreInvalidURLs',
					type: 'boolean',
					default: true,
					description: 'Whether to leave out addresses that the other operations would refuse',
				},
				includeDomainsField,
				languageField,
				searchLocationField,
				{
					displayName: 'Objective',
					name: 'objective',
					type: 'string',
					typeOptions: { rows: 2 },
					default: '',
					placeholder: 'e.g. Find out which subsidies a landlord can get',
					description:
						'What the results are for, up to 5,000 characters; for the service to know, without effect on the results',
				},
				requestJsonField,
				{
					displayName: 'Safe Search',
					name: 'safe',
					type: 'boolean',
					default: true,
					description: 'Whether to leave out explicit content',
				},
				...propertiesOf({ threatProtection }),
				tbsField,
				{
					displayName: 'Timeout',
					name: 'timeout',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 60000,
					description: 'Longest time for the search, in milliseconds',
				},
				...propertiesOf({ toolDetail }),
			],
		},
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
