import type { INodeProperties } from 'n8n-workflow';
import { byType, choices, fields, text } from '../../runtime/contract';
import type { JsonRecord } from '../../runtime/record';
import { tbs } from './tbs';

/** Where a search looks (api-v2, Search request, `sources`). A source's own place and period are those of the search, too; *Request (JSON)* tells them apart. */
export const sourcesField: INodeProperties = {
	displayName: 'Sources',
	name: 'sources',
	type: 'multiOptions',
	default: [],
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
	description: "Where to search; the web when none is chosen. 'Limit' counts per source.",
};

const noProperties = fields({});

/** A source on the wire. */
type Source = string | (JsonRecord & { type: string });

/** Words when no source has values of its own, objects otherwise: the API refuses a mix (addendum 3). */
export const sources = () =>
	choices(
		byType({
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
		}),
	).transform((entries): Source[] | undefined =>
		entries?.every((entry) => Object.keys(entry).length === 1)
			? entries.map((entry) => entry.type)
			: entries,
	);
