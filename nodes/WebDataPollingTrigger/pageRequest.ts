import type { z } from 'zod/v3';
import { stringSchema } from '../runtime/form/schema';
import { list, number, oneOf, string, withDefault } from '../runtime/form/field';
import { form, mapSchema, visibleWhen } from '../runtime/form/form';
import { jsonSchemaFields, withSchema } from '../WebData/fields/jsonSchema';
import { costOf, more } from '../WebData/fields/prices';
import { scrapeOptionsAlone } from '../WebData/fields/scrapeOptions';
import { urls, urlsField } from '../WebData/fields/url';

/** Most URLs of a node. */
const mostUrls = 100;

const fields = {
	urls: urlsField(
		`URLs of the pages to watch, up to 100, separated by commas or new lines, or a list by expression; ${costOf('page')} per page and check`,
		urls({ min: 1, max: mostUrls }),
	),
	compare: withDefault(
		oneOf({
			displayName: 'Compare',
			default: 'text',
			options: [
				{
					name: 'Fields',
					value: 'fields',
					description: `Fields extracted by a model, ${more('json')}`,
				},
				{
					name: 'Status',
					value: 'status',
					description: 'HTTP status and the URL after redirects',
				},
				{ name: 'Text', value: 'text', description: 'Text of the page, line by line' },
			],
			description: 'What of a page to compare with the last check',
		}),
		'text',
	),
	...visibleWhen(
		{ compare: ['fields'] },
		{
			prompt: string({
				displayName: 'Prompt',
				rows: 2,
				max: 10_000,
				placeholder: 'e.g. The name and the price of the product',
				description: 'Which fields to extract, in natural language, up to 10,000 characters',
			}),
			...jsonSchemaFields({ ifEmpty: 'If empty, the prompt decides' }),
			minChange: withDefault(
				number({
					displayName: 'Min Change',
					min: 0,
					default: 0,
					description:
						'Smallest change of a number that starts the workflow, since the last one that did; every change if 0',
				}),
				0,
			),
			minChangeUnit: withDefault(
				oneOf({
					displayName: 'Min Change Unit',
					default: 'absolute',
					options: [
						{ name: 'Absolute', value: 'absolute' },
						{ name: 'Percent', value: 'percent' },
					],
					description: "Whether 'Min Change' is a difference or a share of the previous number",
				}),
				'absolute',
			),
		},
	),
	...visibleWhen(
		{ compare: ['text'] },
		{
			ignoreLines: withDefault(
				list({
					displayName: 'Ignore Lines',
					entry: stringSchema({ max: 200 }),
					max: 50,
					placeholder: 'e.g. *visitors today*, Updated *',
					description:
						'Comma-separated patterns of lines to ignore, such as clocks and counters, * for any characters: up to 50, of up to 200 characters each',
				}),
				[],
			),
		},
	),
	scrapeOptions: scrapeOptionsAlone,
};

/** The parameters of watched pages. */
export const pageRequest = mapSchema(
	form(fields, ({ compare, prompt, schema }, reject) => {
		if (compare === 'fields' && prompt === undefined && schema === undefined) {
			reject('is required where there is no schema', 'prompt');
		}
	}),
	withSchema,
);

/** The valid request of watched pages. */
export type PageRequest = z.output<typeof pageRequest.schema>;
