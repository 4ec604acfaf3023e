import { boolean, integer, oneOf, withDefault } from '../../runtime/form/field';
import { objectParts, type RequestOf } from '../../runtime/form/form';
import type { Values } from '../../runtime/operation/operation';
import { fromJson } from '../../runtime/values/json';
import { membersOf } from '../../runtime/form/schema';
import { fieldsNamed } from '../../runtime/values/record';

/** Output options of operations that return documents. */
export const documentOptions = {
	maxMarkdownLength: integer({
		displayName: 'Max Markdown Length',
		min: 1,
		unit: 'characters',
		default: 10_000,
		description:
			"Truncates markdown to this many characters. Saves tokens in an AI model's context.",
	}),
	simplify: withDefault(
		boolean({
			displayName: 'Simplify',
			description:
				'Whether to return a simplified version of the response instead of the raw data, with only the common metadata of a page. Enabled by default.',
		}),
		true,
	),
};

/** Output options of operations that scrape a page, which may be an HTTP error. */
export const visitOptions = {
	onPageError: withDefault(
		oneOf({
			displayName: 'On Page Error',
			default: 'item',
			options: [
				{
					name: 'Return the Page',
					value: 'item',
					description: "The item's statusCode contains the error",
				},
				{ name: 'Throw an Error', value: 'error' },
			],
			description: 'What to do when the page returns an error such as 404; charged in both cases',
		}),
		'item',
	),
};

/** Output options of operations that fetch a job's results page by page. */
export const readingOptions = {
	onMissingResults: withDefault(
		oneOf({
			displayName: 'On Missing Results',
			default: 'error',
			options: [
				{
					name: 'Return Partial Results',
					value: 'partial',
					description: 'Marks each item as partial under request.partial',
				},
				{ name: 'Throw an Error', value: 'error' },
			],
			description: 'What to do when some results of a job cannot be fetched',
		}),
		'error',
	),
};

/** All output options of pages. */
export const pageOptions = { ...documentOptions, ...visitOptions, ...readingOptions };

const { schema } = objectParts(pageOptions);

/** The validated page options of an item's parameters. */
export function pageOptionsOf({ outputOptions }: Values): RequestOf<typeof pageOptions> {
	return schema.parse(fieldsNamed(membersOf(fromJson(outputOptions)), ...Object.keys(pageOptions)));
}
