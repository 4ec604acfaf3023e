import {
	discriminatedUnion,
	listSchema,
	unsetIfEmpty,
	objectSchema,
	stringSchema,
} from '../../runtime/form/schema';
import { field } from '../../runtime/form/field';
import type { JsonRecord } from '../../runtime/values/record';
import { tbs } from './tbs';

/** A source in the API's form. */
type Source = string | (JsonRecord & { type: string });

const known = [
	{ name: 'Images', value: 'images' },
	{ name: 'News', value: 'news' },
	{
		name: 'Tool Catalogue',
		value: 'alexandria',
		description: 'Data tools that match the query; free, must be enabled for the team',
	},
	{ name: 'Web', value: 'web' },
];

/** The fields of the web source that only *Request (JSON)* has. */
const web = objectSchema({
	tbs: tbs.schema,
	location: stringSchema().optional(),
	country: stringSchema().optional(),
	lang: stringSchema().optional(),
	filter: stringSchema().optional(),
});

const kinds = known.map(({ value }) => [value, value === 'web' ? web : objectSchema({})] as const);

/**
 * Strings if no source has settings, objects otherwise: the API rejects a mix
 * (https://docs.firecrawl.dev/api-reference/endpoint/search).
 */
const onWire = unsetIfEmpty(listSchema(discriminatedUnion(Object.fromEntries(kinds)))).transform(
	(entries): Source[] | undefined =>
		entries?.every((entry) => Object.keys(entry).length === 1)
			? entries.map((entry) => entry.type)
			: entries,
);

/**
 * The sources of a search (https://docs.firecrawl.dev/features/search). A source's location and
 * period equal the search's; only *Request (JSON)* distinguishes them.
 */
export const sources = field(
	{
		displayName: 'Sources',
		type: 'multiOptions',
		default: [],
		options: known,
		description: "Where to search; web if empty. 'Limit' applies per source.",
	},
	onWire,
);
