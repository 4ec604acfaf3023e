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
			"Cuts longer markdown after this many characters and marks the cut. Saves room in an AI model's context.",
	}),
	simplify: withDefault(
		boolean({
			displayName: 'Simplify',
			description:
				"Whether to return a simplified version of the response instead of the raw data; of a page's metadata it has what people use, once each, and does so unless told not to",
		}),
		true,
	),
};

/** Output option of operations that visit a page, which may answer with an error. */
export const visitOptions = {
	onPageError: withDefault(
		oneOf({
			displayName: 'On Page Error',
			default: 'item',
			options: [
				{
					name: 'Return the Page',
					value: 'item',
					description: "The item's statusCode shows the error",
				},
				{ name: 'Throw an Error', value: 'error' },
			],
			description:
				'What to do when the page itself answered with an error such as 404; it is charged either way',
		}),
		'item',
	),
};

/** Output option of operations that read the results of a job page by page. */
export const readingOptions = {
	onUnreadablePage: withDefault(
		oneOf({
			displayName: 'On Unreadable Results',
			default: 'error',
			options: [
				{
					name: 'Return What Was Read',
					value: 'partial',
					description: 'Each item is marked as part of an incomplete result under request.partial',
				},
				{ name: 'Throw an Error', value: 'error' },
			],
			description: "What to do when some of a job's results cannot be read from the service",
		}),
		'error',
	),
};

/** All output options that know what a page is. */
export const pageOptions = { ...documentOptions, ...visitOptions, ...readingOptions };

const { schema } = objectParts(pageOptions);

/** The page options among an item's parameters, which were checked before. */
export function pageOptionsOf({ outputOptions }: Values): RequestOf<typeof pageOptions> {
	return schema.parse(fieldsNamed(membersOf(fromJson(outputOptions)), ...Object.keys(pageOptions)));
}
