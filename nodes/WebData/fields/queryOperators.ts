import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { fields, handOn, isUnset, list, prepared, text } from '../../runtime/contract';

/** The query operators (api-v2, Query operators), for users who do not know them by heart. */
export const queryOperatorsField: INodeProperties = {
	displayName: 'Query Operators',
	name: 'queryOperators',
	type: 'collection',
	placeholder: 'Add Operator',
	default: {},
	description: "Parts that are added to the query in the search engine's notation",
	options: [
		{
			displayName: 'All Words in Title',
			name: 'allintitle',
			type: 'string',
			default: '',
			placeholder: 'e.g. annual report',
			description: "Words that must all be in the page's title",
		},
		{
			displayName: 'All Words in URL',
			name: 'allinurl',
			type: 'string',
			default: '',
			placeholder: 'e.g. docs install',
			description: 'Words that must all be in the address',
		},
		{
			displayName: 'Exact Phrase',
			name: 'exactPhrase',
			type: 'string',
			default: '',
			placeholder: 'e.g. rate limit exceeded',
			description: 'Words that must stand together as written',
		},
		{
			displayName: 'Exclude',
			name: 'exclude',
			type: 'string',
			default: '',
			placeholder: 'e.g. jobs, pricing',
			description: 'Comma-separated words or phrases that must not occur',
		},
		{
			displayName: 'File Type',
			name: 'filetype',
			type: 'string',
			default: '',
			placeholder: 'e.g. pdf',
			description: 'File extension of the results',
		},
		{
			displayName: 'Image Size',
			name: 'imagesize',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1920x1080',
			description: 'Exact width and height of images in pixels',
		},
		{
			displayName: 'Larger Than',
			name: 'larger',
			type: 'string',
			default: '',
			placeholder: 'e.g. 800x600',
			description: 'Width and height in pixels that images must exceed',
		},
		{
			displayName: 'Related To',
			name: 'related',
			type: 'string',
			default: '',
			placeholder: 'e.g. example.com',
			description: 'Domain to which the results must be similar',
		},
		{
			displayName: 'Site',
			name: 'site',
			type: 'string',
			default: '',
			placeholder: 'e.g. docs.example.com',
			description: 'The one website to search',
		},
		{
			displayName: 'Word in Title',
			name: 'intitle',
			type: 'string',
			default: '',
			placeholder: 'e.g. changelog',
			description: "Word that must be in the page's title",
		},
		{
			displayName: 'Word in URL',
			name: 'inurl',
			type: 'string',
			default: '',
			placeholder: 'e.g. blog',
			description: 'Word that must be in the address',
		},
	],
};

const quoted = (phrase: string) => `"${phrase.replaceAll('"', '').trim()}"`;

const excluded = (entry: string) => `-${/\s/.test(entry) ? quoted(entry) : entry}`;

const word = text().optional();

const operators = fields({
	exactPhrase: word,
	exclude: list(text()).optional(),
	site: word,
	filetype: word,
	inurl: word,
	intitle: word,
	related: word,
	imagesize: word,
	larger: word,
	allinurl: word,
	allintitle: word,
});

/** The operators that are a prefix, in the order in which they are written. */
const prefixes = [
	'site',
	'filetype',
	'inurl',
	'intitle',
	'related',
	'imagesize',
	'larger',
	'allinurl',
	'allintitle',
] as const;

/** Query and operators as one query, the operators that take the rest of the line last. */
export function composeQuery(query: unknown, given: z.output<typeof operators>): string {
	const { exactPhrase, exclude = [] } = given;
	const parts = [
		...(isUnset(query) ? [] : [String(query).trim()]),
		...(exactPhrase === undefined ? [] : [quoted(exactPhrase)]),
		...exclude.map(excluded),
		...prefixes.flatMap((operator) => {
			const value = given[operator]?.trim();
			return value === undefined ? [] : [`${operator}:${value}`];
		}),
	];
	return parts.join(' ');
}

/** Puts the operators into the query, before the contract of the request around them is checked. */
export const withQueryOperators = <Contract extends z.ZodTypeAny>(contract: Contract) =>
	prepared(contract, (value, context) => {
		const { queryOperators, query, ...members } = value;
		const isText = isUnset(query) || typeof query === 'string' || typeof query === 'number';
		if (isUnset(queryOperators) || !isText) return { query, ...members };
		const checked = operators.safeParse(queryOperators);
		if (checked.success) return { query: composeQuery(query, checked.data), ...members };
		return handOn(checked.error, context, 'queryOperators');
	});
