import type { IDataObject } from 'n8n-workflow';
import { stringSchema } from '../../../runtime/form/schema';
import { anyOf, field, list, oneOf, string } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation, type ReadContext, type Result } from '../../../runtime/operation/operation';
import { label } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { readList } from '../../../runtime/http/paging';
import { limit } from '../../fields/limit';
import { urls } from '../../fields/url';
import { rejectLong } from './call';
import { browse, catalogueIn, findTools, nextPage, toolOf, type CatalogueQuery } from './catalogue';

/** Most entries of a page. */
const pageSize = 100;

const names = (shown: { displayName: string; placeholder?: string; description: string }) =>
	list({ ...shown, entry: stringSchema(), max: 50, emptyIsUnset: true });

async function readCatalogue(
	query: CatalogueQuery,
	most: number,
	context: ReadContext,
): Promise<Result[]> {
	const pageIn = (body: IDataObject) => catalogueIn(body, context.errorSource);
	const found = await readList(
		browse(findTools(query)),
		{
			entriesOf(body) {
				const { entries, about } = pageIn(body);
				return entries.map((entry) => ({ entry, about }));
			},
			next(body, _request, count) {
				const next = nextPage(pageIn(body), query, count, context.errorSource);
				return next && browse(next);
			},
		},
		most,
		context,
	);
	return found.map(({ entry, about }, index) => ({
		json: label(entry, { ...toolOf(entry), position: index + 1, request: about }),
	}));
}

/** POST /scrape with a call of the catalogue. */
export const find = operation({
	name: 'Find',
	value: 'find',
	action: 'Find data tools',
	description:
		'Searches the catalogue for data tools (prices, company data, weather and more from third parties) and returns one item each, with provider, capability, options and price. Free; requires an API key.',
	costs: 'free',
	request: form(
		{
			query: string({
				displayName: 'Query',
				max: 2_000,
				placeholder: 'e.g. tide times of a harbour',
				description: 'What the tools must do, up to 2,000 characters; all tools if empty',
			}),
			level: oneOf({
				displayName: 'Level',
				default: 'tools',
				options: [
					{ name: 'Categories', value: 'categories' },
					{ name: 'Groups', value: 'groups' },
					{ name: 'Providers', value: 'providers' },
					{ name: 'Tools', value: 'tools' },
				],
				description: 'What to return as items; only tools can be executed',
			}),
			...limit({ default: 50, description: 'Max number of results to return' }),
			...additionalFields({
				capabilities: names({
					displayName: 'Capabilities',
					placeholder: 'e.g. tide-times',
					description: 'Comma-separated capabilities of tools, up to 50',
				}),
				categories: names({
					displayName: 'Categories',
					description: 'Comma-separated categories, returned by the level Categories, up to 50',
				}),
				expand: anyOf({
					emptyIsUnset: true,
					displayName: 'Details',
					options: [
						{ name: 'Examples', value: 'examples' },
						{ name: 'Options', value: 'options', description: 'Options of the tool' },
						{ name: 'Response', value: 'response', description: 'Response of the tool' },
					],
					description: 'Details to include for each tool',
				}),
				groups: names({
					displayName: 'Groups',
					description: 'Comma-separated groups, returned by the level Groups, up to 50',
				}),
				providers: names({
					displayName: 'Providers',
					placeholder: 'e.g. tidewatch',
					description: 'Comma-separated providers of tools, up to 50',
				}),
				urls: field(
					{
						displayName: 'URLs',
						type: 'string',
						default: '',
						placeholder: 'e.g. https://example.com/team',
						description:
							'Comma-separated URLs that the tools must match, up to 100; they are not scraped',
					},
					urls({ max: 100 }).transform((entries) => (entries.length === 0 ? undefined : entries)),
				),
			}),
		},
		rejectLong,
	),
	settings: settingsFields({ sends: true }),
	async run({ limit: most = Infinity, ...query }, context) {
		return await readCatalogue({ ...query, limit: Math.min(most, pageSize) }, most, context);
	},
});
