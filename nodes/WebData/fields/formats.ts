import { z } from 'zod/v3';
import { byType, choice, fields, flag, list, text } from '../../runtime/contract';
import { memberOf } from '../../runtime/record';
import { ChosenFormats } from './chosenFormats';
import { formatsNotOfSearches, formatsOfVisits } from './formatFields';
import { jsonSchema, withSchema } from './jsonSchema';
import { screenshotMembers } from './screenshot';

const alone = fields({});

const format = byType(
	{
		markdown: alone,
		summary: alone,
		html: alone,
		rawHtml: alone,
		rawBase64: alone,
		links: alone,
		images: alone,
		branding: alone,
		product: alone,
		menu: alone,
		audio: alone,
		video: alone,
		question: fields({ question: text({ max: 10_000 }) }),
		highlights: fields({ query: text({ max: 10_000 }) }),
		attributes: fields({
			selectors: list(fields({ selector: text(), attribute: text() }), { min: 1 }),
		}),
		screenshot: fields(screenshotMembers),
		json: withSchema(
			fields(
				{
					prompt: text({ max: 10_000 }).optional(),
					schema: jsonSchema('page').optional(),
					checkPromptInjection: flag().optional(),
				},
				({ prompt, schema }, refuse) => {
					if (prompt === undefined && schema === undefined) {
						refuse('is required where there is no schema', 'prompt');
					}
				},
			),
		),
		changeTracking: withSchema(
			fields({
				modes: list(choice('git-diff', 'json')).optional(),
				schema: jsonSchema('page').optional(),
				prompt: text({ max: 10_000 }).optional(),
				tag: text().optional(),
			}),
		),
	},
	{ set: 'open' },
);

type Entry = z.ZodType<{ type: string }, z.ZodTypeDef, unknown>;

/** A list of formats with the rules between them (addendum 4, Format rules). */
const listOf = <Format extends Entry>(entry: Format) =>
	list(entry).superRefine((entries, context) => {
		const count = (type: string) => entries.filter((entry) => entry.type === type).length;
		const refuse = (message: string) => context.addIssue({ code: 'custom', message });
		if (count('screenshot') > 1) refuse('takes at most one Screenshot');
		if (count('changeTracking') > 0 && count('markdown') === 0) {
			refuse('needs Markdown beside Change Tracking');
		}
		if (count('json') > 0 && count('deterministicJson') > 0) {
			refuse('takes either JSON or deterministicJson, not both');
		}
		if (count('rawBase64') > 0 && entries.length > 1) refuse('takes Base64 only on its own');
	});

/** Formats as the editor stores them or in the API's own shape. `untouched` is what those that the editor shows at first are sent as. */
const formatsIn = <List extends z.ZodType<Array<{ type: string }>, z.ZodTypeDef, unknown>>(
	entries: List,
	untouched?: z.output<List>,
) =>
	z.unknown().transform((given, context): z.output<List> | undefined => {
		const chosen = given instanceof ChosenFormats ? given : undefined;
		if (chosen?.isUntouched) return untouched;
		const read = entries.safeParse(chosen ? chosen.entries : given);
		if (read.success) return read.data;
		for (const issue of read.error.issues) {
			context.addIssue({ ...issue, path: chosen?.fieldAt(issue.path) ?? issue.path });
		}
		return z.NEVER;
	});

/** The formats of a page. Markdown alone is what the service makes anyway, and is not sent. */
export const formats = () => formatsIn(listOf(format));

/** The formats of a file. */
export const fileFormats = () =>
	formatsIn(
		listOf(format).superRefine((entries, context) => {
			for (const { type } of entries.filter((entry) => formatsOfVisits.includes(entry.type))) {
				context.addIssue({ code: 'custom', message: `takes no ${type}: a file is not visited` });
			}
		}),
	);

/** A format of a search's results. One that a search cannot make is refused before its own fields are read. */
const searchFormat = z
	.unknown()
	.superRefine((entry, context) => {
		const type = typeof entry === 'string' ? entry : memberOf(entry, 'type');
		if (typeof type !== 'string' || !formatsNotOfSearches.includes(type)) return;
		const message = `takes no ${type} in a search: use Scrape of the resource Page with the addresses of the results`;
		context.addIssue({ code: 'custom', message });
	})
	.pipe(format);

/** The formats of a search's results. Without one, the service reads no page. */
export const searchFormats = () => formatsIn(listOf(searchFormat), [{ type: 'markdown' }]);
