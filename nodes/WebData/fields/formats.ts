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

/** A list of formats with the rules between them (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
const listOf = <Format extends Entry>(entry: Format) =>
	withHooks(listSchema(entry), {
		rule(entries, context) {
			const count = (type: string) => entries.filter((each) => each.type === type).length;
			const refuse = (message: string) => context.addIssue({ code: 'custom', message });
			if (count('screenshot') > 1) refuse('allows at most one Screenshot');
			if (count('changeTracking') > 0 && count('markdown') === 0) {
				refuse('requires Markdown together with Change Tracking');
			}
			if (count('json') > 0 && count('deterministicJson') > 0) {
				refuse('allows either JSON or deterministicJson, not both');
			}
			if (count('rawBase64') > 0 && entries.length > 1)
				refuse('does not allow Base64 together with other formats');
		},
	});

/** Formats as the editor stores them or in the API's own shape. `untouched` is what those that the editor shows at first are sent as. */
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

/** A choice of formats, which reads the fields of the chosen ones beside it. */
const formatField = <Value>(place: Place, given: Schema<Value>) => {
	const { property, extraProperties } = formatProperties(place);
	return {
		...field(property, given),
		extraProperties,
		read: (values: Readonly<Record<string, unknown>>) => new ChosenFormats(values),
	};
};

/** What is made of each page. Markdown alone is what the service makes anyway, and is not sent. */
export const formats = formatField(
	{
		description: 'Formats to return for each page; markdown if empty. Some formats cost more.',
	},
	formatsIn(listOf(format)),
);

/** What is made of a file. */
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

/** A format of a search's results. One that a search cannot make is refused before its own fields are read. */
const searchFormat = z
	.unknown()
	.superRefine((entry, context) => {
		const type = typeof entry === 'string' ? entry : fieldOf(entry, 'type');
		if (typeof type !== 'string' || !formatsNotOfSearches.includes(type)) return;
		const message = `does not support ${type} in a search: use Scrape of the resource Page with the URLs of the results`;
		context.addIssue({ code: 'custom', message });
	})
	.pipe(format);

/** What is made of each result of a search whose pages are read. Without a format, the service reads no page. */
export const searchFormats = formatField(
	{
		description: 'Formats to return for each result; markdown if empty. Some formats cost more.',
		without: formatsNotOfSearches,
	},
	formatsIn(listOf(searchFormat), [{ type: 'markdown' }]),
);
