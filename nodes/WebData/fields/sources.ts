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

/** A source on the wire. */
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

/** What *Request (JSON)* can say of the web source alone. */
const web = objectSchema({
	tbs: tbs.schema,
	location: stringSchema().optional(),
	country: stringSchema().optional(),
	lang: stringSchema().optional(),
	filter: stringSchema().optional(),
});

const kinds = known.map(({ value }) => [value, value === 'web' ? web : objectSchema({})] as const);

/** Words when no source has values of its own, objects otherwise: the API refuses a mix (https://docs.firecrawl.dev/api-reference/endpoint/search). */
const onWire = unsetIfEmpty(listSchema(discriminatedUnion(Object.fromEntries(kinds)))).transform(
	(entries): Source[] | undefined =>
		entries?.every((entry) => Object.keys(entry).length === 1)
			? entries.map((entry) => entry.type)
			: entries,
);

/** Where a search looks (https://docs.firecrawl.dev/features/search). A source's own place and period are those of the search, too; *Request (JSON)* tells them apart. */
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
