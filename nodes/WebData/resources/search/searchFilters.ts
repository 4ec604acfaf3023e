import { discriminatedUnion, objectSchema, listSchema } from '../../../runtime/form/schema';
import { field, string } from '../../../runtime/form/field';
import { domains } from '../../fields/domains';
import { tbs } from '../../fields/tbs';

const categories = [
	{
		name: 'Developer',
		value: 'developer',
		description: 'Issues, merged pull requests, READMEs and documentation; only on its own',
	},
	{
		name: 'Government',
		value: 'gov',
		description: 'Law and regulation of the United States; only on its own',
	},
	{ name: 'PDF', value: 'pdf' },
	{ name: 'Research', value: 'research', description: 'Scientific papers' },
];

const kinds = Object.fromEntries(categories.map(({ value }) => [value, objectSchema({})]));

/** Which part of the web a search looks at: fields of every search that reads it, in the order of their names. */
export const searchFilters = {
	categories: field(
		{
			displayName: 'Categories',
			type: 'multiOptions',
			default: [],
			options: categories,
			description: 'Kinds of results to restrict the search to',
		},
		listSchema(discriminatedUnion(kinds, { set: 'open' })),
	),
	country: string({
		displayName: 'Country',
		placeholder: 'e.g. DE',
		description: 'Country code to search from; US when neither country nor location is set',
	}),
	excludeDomains: domains({
		displayName: 'Exclude Domains',
		description: 'Comma-separated domains to leave out; not together with Include Domains',
	}),
	includeDomains: domains({
		displayName: 'Include Domains',
		description: 'Comma-separated domains to search in; not together with Exclude Domains',
	}),
	lang: string({
		displayName: 'Language',
		placeholder: 'e.g. de',
		description: 'Code of the language to search in; en when not set',
	}),
	location: string({
		displayName: 'Location',
		placeholder: 'e.g. Munich,Bavaria,Germany',
		description: 'Place to search from; works best with the country set',
	}),
	tbs,
};
