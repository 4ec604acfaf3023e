import type { INodeProperties } from 'n8n-workflow';
import { isUnset } from '../../runtime/contract';
import { isRecord } from '../../runtime/record';

/** The query operators (api-v2, Query operators), for users who do not know them by heart. */
export const queryOperatorsField: INodeProperties = {
	displayName: 'Query Operators',
	name: 'queryOperators',
	type: 'collection',
	placeholder: 'Add Operator',
	default: {},
	description: 'Parts that are added to the query in the search engine\'s notation',
	options: [
		{
			displayName: 'All Words in Title',
			name: 'allintitle',
			type: 'string',
			default: '',
			placeholder: 'e.g. annual report',
			description: 'Words that must all be in the page\'s title',
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
			description: 'Word that must be in the page\'s title',
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

const words = (value: unknown) => (isUnset(value) ? '' : String(value).trim());

const phrase = (value: string) => (/\s/.test(value) ? `"${value}"` : value);

const prefixed = (operator: string, value: unknown) =>
	words(value) === '' ? [] : [`${operator}:${words(value)}`];

/** Puts query and operators together as one query. Operators that take the rest of the line come last. */
export function composeQuery(query: unknown, operators: unknown): unknown {
	if (!isRecord(operators) || isUnset(operators)) return query;
	const { exactPhrase, exclude } = operators;
	const excluded = words(exclude)
		.split(',')
		.map((entry) => entry.trim().replaceAll('"', ''))
		.filter((entry) => entry !== '');
	const exact = words(exactPhrase).replaceAll('"', '');
	return [
		words(query),
		...(exact === '' ? [] : [`"${exact}"`]),
		...excluded.map((entry) => `-${phrase(entry)}`),
		...['site', 'filetype', 'inurl', 'intitle', 'related', 'imagesize', 'larger'].flatMap(
			(operator) => prefixed(operator, operators[operator]),
		),
		...['allinurl', 'allintitle'].flatMap((operator) => prefixed(operator, operators[operator])),
	]
		.filter((part) => part !== '')
		.join(' ');
}
