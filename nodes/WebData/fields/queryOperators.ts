import type { z } from 'zod/v3';
import { forwardIssues, isUnset, prepared, stringSchema } from '../../runtime/form/schema';
import type { Schema } from '../../runtime/form/effects';
import { editorOnly, list, string } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';

/** The operators of a query, as separate fields. */
const operators = object(
	{
		displayName: 'Query Operators',
		placeholder: 'Add Operator',
		default: {},
		description: 'Search operators to add to the query',
	},
	{
		allintitle: string({
			displayName: 'All Words in Title',
			placeholder: 'e.g. annual report',
			description: 'Words that must all be in the title',
		}),
		allinurl: string({
			displayName: 'All Words in URL',
			placeholder: 'e.g. docs install',
			description: 'Words that must all be in the URL',
		}),
		exactPhrase: string({
			displayName: 'Exact Phrase',
			placeholder: 'e.g. rate limit exceeded',
			description: 'Phrase that must match exactly',
		}),
		exclude: list({
			displayName: 'Exclude',
			entry: stringSchema(),
			placeholder: 'e.g. jobs, pricing',
			description: 'Comma-separated words or phrases to exclude',
		}),
		filetype: string({
			displayName: 'File Type',
			placeholder: 'e.g. pdf',
			description: 'File extension of the results',
		}),
		imagesize: string({
			displayName: 'Image Size',
			placeholder: 'e.g. 1920x1080',
			description: 'Exact width and height of images in pixels',
		}),
		larger: string({
			displayName: 'Larger Than',
			placeholder: 'e.g. 800x600',
			description: 'Min width and height of images in pixels',
		}),
		related: string({
			displayName: 'Related To',
			placeholder: 'e.g. example.com',
			description: 'Domain that results must be similar to',
		}),
		site: string({
			displayName: 'Site',
			placeholder: 'e.g. docs.example.com',
			description: 'Website to search',
		}),
		intitle: string({
			displayName: 'Word in Title',
			placeholder: 'e.g. changelog',
			description: 'Word that must be in the title',
		}),
		inurl: string({
			displayName: 'Word in URL',
			placeholder: 'e.g. blog',
			description: 'Word that must be in the URL',
		}),
	},
);

/** Parts of the query, which `withQueryOperators` merges into it. */
export const queryOperators = editorOnly(operators, (values) => values.queryOperators);

const quoted = (phrase: string) => `"${phrase.replaceAll('"', '').trim()}"`;

const excluded = (entry: string) => `-${/\s/.test(entry) ? quoted(entry) : entry}`;

/** The operators that are a prefix, in order. */
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

/** Composes a query with operators; those that apply to the rest of the line come last. */
export function composeQuery(
	query: unknown,
	given: z.output<typeof operators.valueSchema>,
): string {
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

/** Merges the operators into the query, before the schema of the request validates it. */
export const withQueryOperators = <Request>(schema: Schema<Request>): Schema<Request> =>
	prepared(schema, (value, context) => {
		const { queryOperators: given, query, ...fields } = value;
		const isText = isUnset(query) || typeof query === 'string' || typeof query === 'number';
		if (isUnset(given) || !isText) return { query, ...fields };
		const checked = operators.valueSchema.safeParse(given);
		if (checked.success) return { query: composeQuery(query, checked.data), ...fields };
		return forwardIssues(checked.error, context, 'queryOperators');
	});
