import { z } from 'zod/v3';
import { discriminatedUnion, listSchema } from '../../runtime/form/schema';
import { transformSchema, withHooks, type Schema } from '../../runtime/form/effects';
import { field } from '../../runtime/form/field';
import { fieldOf } from '../../runtime/values/record';
import { ChosenFormats } from './chosenFormats';
import {
	formatProperties,
	formatsNotOfSearches,
	formatsOfVisits,
	knownFormats,
	type Place,
} from './formatFields';

const format = discriminatedUnion(
	Object.fromEntries(Object.entries(knownFormats).map(([type, { schema }]) => [type, schema])),
	{ set: 'open' },
);

type Entry = z.ZodType<{ type: string }, z.ZodTypeDef, unknown>;

/** A validated list of formats (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
const listOf = <Format extends Entry>(entry: Format) =>
	withHooks(listSchema(entry), {
		rule(entries, context) {
			const count = (type: string) => entries.filter((each) => each.type === type).length;
			const reject = (message: string) => context.addIssue({ code: 'custom', message });
			if (count('screenshot') > 1) reject('allows at most one Screenshot');
			if (count('changeTracking') > 0 && count('markdown') === 0) {
				reject('requires Markdown together with Change Tracking');
			}
			if (count('json') > 0 && count('deterministicJson') > 0) {
				reject('allows either JSON or deterministicJson, not both');
			}
			if (count('rawBase64') > 0 && entries.length > 1)
				reject('does not allow Base64 together with other formats');
		},
	});

/**
 * Formats from the editor or in the API's form. `untouched` is the value of the editor's default.
 */
const formatsIn = <List extends z.ZodType<Array<{ type: string }>, z.ZodTypeDef, unknown>>(
	entries: List,
	untouched?: z.output<List>,
) =>
	transformSchema((given, context): z.output<List> | undefined => {
		const chosen = given instanceof ChosenFormats ? given : undefined;
		if (chosen?.isUntouched) return untouched;
		const read = entries.safeParse(chosen ? chosen.entries : given);
		if (read.success) return read.data;
		for (const issue of read.error.issues) {
			context.addIssue({ ...issue, path: chosen?.fieldAt(issue.path) ?? issue.path });
		}
		return z.NEVER;
	});

/** A choice of formats, which includes the fields of chosen formats. */
const formatField = <Value>(place: Place, given: Schema<Value>) => {
	const { property, extraProperties } = formatProperties(place);
	return {
		...field(property, given),
		extraProperties,
		read: (values: Readonly<Record<string, unknown>>) => new ChosenFormats(values),
	};
};

/** The formats of each page. Markdown only is the service's default, and is not sent. */
export const formats = formatField(
	{
		description: 'Formats to return for each page; markdown if empty. Some formats cost more.',
	},
	formatsIn(listOf(format)),
);

/** The formats of a file. */
export const fileFormats = formatField(
	{
		description: 'Formats to return for the file; markdown if empty. Some formats cost more.',
		without: formatsOfVisits,
	},
	formatsIn(
		listOf(format).superRefine((entries, context) => {
			for (const { type } of entries.filter((entry) => formatsOfVisits.includes(entry.type))) {
				context.addIssue({ code: 'custom', message: `does not support ${type} for files` });
			}
		}),
	),
);

/**
 * A format of a search's results. Unavailable ones are rejected before their fields are validated.
 */
const searchFormat = z
	.unknown()
	.superRefine((entry, context) => {
		const type = typeof entry === 'string' ? entry : fieldOf(entry, 'type');
		if (typeof type !== 'string' || !formatsNotOfSearches.includes(type)) return;
		const message = `does not support ${type} in a search: use Scrape of the resource Page with the URLs of the results`;
		context.addIssue({ code: 'custom', message });
	})
	.pipe(format);

/**
 * The formats of each scraped result of a search. Without a format, the service scrapes nothing.
 */
export const searchFormats = formatField(
	{
		description: 'Formats to return for each result; markdown if empty. Some formats cost more.',
		without: formatsNotOfSearches,
	},
	formatsIn(listOf(searchFormat), [{ type: 'markdown' }]),
);
