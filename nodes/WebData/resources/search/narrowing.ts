import type { INodeProperties } from 'n8n-workflow';

/** Which part of the web a search looks at: fields of every search that reads it. */

export const categoriesField: INodeProperties = {
	displayName: 'Categories',
	name: 'categories',
	type: 'multiOptions',
	default: [],
	options: [
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
	],
	description: 'Kinds of results to restrict the search to',
};

export const countryField: INodeProperties = {
	displayName: 'Country',
	name: 'country',
	type: 'string',
	default: '',
	placeholder: 'e.g. DE',
	description: 'Country code to search from; US when neither country nor location is set',
};

export const excludeDomainsField: INodeProperties = {
	displayName: 'Exclude Domains',
	name: 'excludeDomains',
	type: 'string',
	default: '',
	placeholder: 'e.g. example.com, example.org',
	description: 'Comma-separated domains to leave out; not together with Include Domains',
};

export const includeDomainsField: INodeProperties = {
	displayName: 'Include Domains',
	name: 'includeDomains',
	type: 'string',
	default: '',
	placeholder: 'e.g. example.com, example.org',
	description: 'Comma-separated domains to search in; not together with Exclude Domains',
};

export const languageField: INodeProperties = {
	displayName: 'Language',
	name: 'lang',
	type: 'string',
	default: '',
	placeholder: 'e.g. de',
	description: 'Code of the language to search in; en when not set',
};

export const searchLocationField: INodeProperties = {
	displayName: 'Location',
	name: 'location',
	type: 'string',
	default: '',
	placeholder: 'e.g. Munich,Bavaria,Germany',
	description: 'Place to search from; works best with the country set',
};
