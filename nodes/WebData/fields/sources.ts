import type { INodeProperties } from 'n8n-workflow';
import { byType, fields, list, text } from '../../runtime/contract';
import type { JsonRecord } from '../../runtime/record';
import { tbs, tbsField } from './tbs';

/** Fields of one source; the type decides which are shown. */
const sourceFields: INodeProperties[] = [
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		default: 'web',
		options: [
			{ name: 'Images', value: 'images' },
			{ name: 'News', value: 'news' },
			{
				name: 'Tool Catalogue',
				value: 'alexandria',
				description: 'Data tools that fit the query; free, the team must have the feature',
			},
			{ name: 'Web', value: 'web' },
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: { show: { type: ['web'] } },
		options: [
			{
				displayName: 'Location',
				name: 'location',
				type: 'string',
				default: '',
				placeholder: 'e.g. Berlin,Germany',
				description: 'Place to search from; most servers take it for all sources',
			},
			{
				...tbsField,
				description: 'Only results from a period; most servers take it for all sources',
			},
		],
	},
];

/** Where a search looks (api-v2, Search request, `sources`). */
export const sourcesField: INodeProperties = {
	displayName: 'Sources',
	name: 'sources',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Source',
	default: {},
	description: "Where to search; the web when empty. 'Limit' counts per source.",
	options: [
		{
			displayName: 'Source',
			name: 'values',
			values: sourceFields,
		},
	],
};

const noProperties = fields({});

/** A source on the wire. */
type Source = string | (JsonRecord & { type: string });

/** Words when no source has values of its own, objects otherwise: the API refuses a mix (addendum 3). */
export const sources = () =>
	list(
		byType(
			{
				web: fields({
					tbs: tbs().optional(),
					location: text().optional(),
					country: text().optional(),
					lang: text().optional(),
					filter: text().optional(),
				}),
				images: noProperties,
				news: noProperties,
				alexandria: noProperties,
			},
			{ editor: sourceFields },
		),
		{ min: 1 },
	).transform((entries): Source[] =>
		entries.every((entry) => Object.keys(entry).length === 1)
			? entries.map((entry) => entry.type)
			: entries,
	);
