import { discriminatedUnion, objectSchema, listSchema } from '../../../runtime/form/schema';
import { field, string } from '../../../runtime/form/field';
import { domains } from '../../fields/domains';
import { tbs } from '../../fields/tbs';

const categories = [
	{
		name: 'Developer',
		value: 'developer',
		description: 'Issues, merged pull requests, READMEs and documentation; cannot be combined',
	},
	{
		name: 'Government',
		value: 'gov',
		description: 'Laws and regulations of the United States; cannot be combined',
	},
	{ name: 'PDF', value: 'pdf' },
	{ name: 'Research', value: 'research', description: 'Scientific papers' },
];

const kinds = Object.fromEntries(categories.map(({ value }) => [value, objectSchema({})]));

/** The filters of a search of the web, sorted by name. */
export const searchFilters = {
	categories: field(
		{
			displayName: 'Categories',
			type: 'multiOptions',
			default: [],
			options: categories,
			description: 'Categories to restrict the search to',
		},
		listSchema(discriminatedUnion(kinds, { set: 'open' })),
	),
	country: string({
		displayName: 'Country',
		placeholder: 'e.g. DE',
		description: 'Country code to search from; US if neither country nor location is set',
	}),
	excludeDomains: domains({
		displayName: 'Exclude Domains',
		description: 'Comma-separated domains to exclude; cannot be combined with Include Domains',
	}),
	includeDomains: domains({
		displayName: 'Include Domains',
		description: 'Comma-separated domains to search; cannot be combined with Exclude Domains',
	}),
	lang: string({
		displayName: 'Language',
		placeholder: 'e.g. de',
		description: 'Language code to search in; en if not set',
	}),
	location: string({
		displayName: 'Location',
		placeholder: 'e.g. Munich,Bavaria,Germany',
		description: 'Location to search from; works best together with Country',
	}),
	tbs,
};
