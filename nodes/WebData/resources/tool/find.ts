import type { IDataObject } from 'n8n-workflow';
import {
	choice,
	choices,
	fields,
	isOn,
	membersOf,
	text,
	wholeNumber,
} from '../../../runtime/contract';
import { operation, type Call, type Result } from '../../../runtime/operation';
import { label, noticesIn } from '../../../runtime/results';
import { settingsFields } from '../../../runtime/settings';
import { limitFields } from '../../fields/limit';
import { urls } from '../../fields/url';
import { refuseLong } from './call';
import { browse, catalogueIn, findTools, nextPage, toolOf, type CatalogueQuery } from './catalogue';

/** Most entries of one page. */
const pageSize = 100;

const names = () => choices(text(), { max: 50 });

async function readCatalogue(query: CatalogueQuery, limit: number, call: Call): Promise<Result[]> {
	const results: Result[] = [];
	let next: object | undefined = findTools(query);
	while (next) {
		const body = (await call.send(browse(next))).body as IDataObject;
		noticesIn(body).forEach(call.notice);
		const page = catalogueIn(body, call.place);
		for (const entry of page.entries) {
			const labels = { ...toolOf(entry), position: results.length + 1, request: page.about };
			results.push({ json: label(entry, labels) });
		}
		next = results.length < limit ? nextPage(page, query, results.length, call.place) : undefined;
	}
	return results.slice(0, limit);
}

/** POST /scrape with the catalogue's own call (addendum 13, sdk-facts 6.2). */
export const find = operation({
	name: 'Find',
	value: 'find',
	action: 'Find data tools',
	description:
		'Looks up data tools (prices, company data, weather and more from third parties) in the catalogue and returns one item each, with provider and capability, which Execute takes. Runs none of them. Free; needs an API key.',
	fields: [
		{
			displayName: 'Query',
			name: 'query',
			type: 'string',
			default: '',
			placeholder: 'e.g. tide times of a harbour',
			description:
				'What the tools must be able to do, up to 2,000 characters; all tools when empty',
		},
		{
			displayName: 'Level',
			name: 'level',
			type: 'options',
			default: 'tools',
			options: [
				{ name: 'Categories', value: 'categories' },
				{ name: 'Groups', value: 'groups' },
				{ name: 'Providers', value: 'providers' },
				{ name: 'Tools', value: 'tools' },
			],
			description: 'What the items are; only tools can be executed',
		},
		...limitFields({ initial: 50, description: 'Max number of results to return' }),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Capabilities',
					name: 'capabilities',
					type: 'string',
					default: '',
					placeholder: 'e.g. tide-times',
					description: 'Comma-separated capabilities (what a tool does), up to 50',
				},
				{
					displayName: 'Categories',
					name: 'categories',
					type: 'string',
					default: '',
					description: 'Comma-separated categories, as the level Categories returns them, up to 50',
				},
				{
					displayName: 'Details',
					name: 'expand',
					type: 'multiOptions',
					default: [],
					options: [
						{ name: 'Examples', value: 'examples' },
						{ name: 'Options', value: 'options', description: 'What the tool takes' },
						{ name: 'Response', value: 'response', description: 'What the tool returns' },
					],
					description: 'What to add to each tool',
				},
				{
					displayName: 'Groups',
					name: 'groups',
					type: 'string',
					default: '',
					description: 'Comma-separated groups, as the level Groups returns them, up to 50',
				},
				{
					displayName: 'Providers',
					name: 'providers',
					type: 'string',
					default: '',
					placeholder: 'e.g. tidewatch',
					description: 'Comma-separated providers (who offers the tool), up to 50',
				},
				{
					displayName: 'URLs',
					name: 'urls',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://example.com/team',
					description:
						'Comma-separated addresses that the tools must fit, up to 100; they are not visited',
				},
			],
		},
		...settingsFields({ sends: true }),
	],
	costs: 'free',
	contract: fields(
		{
			query: text({ max: 2_000 }).optional(),
			level: choice('tools', 'providers', 'groups', 'categories').optional(),
			limit: wholeNumber({ min: 1 }).optional(),
			urls: urls({ max: 100 })
				.transform((entries) => (entries.length === 0 ? undefined : entries))
				.optional(),
			providers: names().optional(),
			categories: names().optional(),
			groups: names().optional(),
			capabilities: names().optional(),
			expand: choices(choice('options', 'response', 'examples')).optional(),
		},
		refuseLong,
	),
	read: ({ query, level, returnAll, limit, additionalFields }) => ({
		query,
		level,
		limit: isOn(returnAll) ? undefined : limit,
		...membersOf(additionalFields),
	}),
	async run({ limit = Infinity, ...query }, _values, call) {
		return await readCatalogue({ ...query, limit: Math.min(limit, pageSize) }, limit, call);
	},
});
