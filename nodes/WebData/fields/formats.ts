import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';
import { byType, choice, fields, flag, list, text } from '../../runtime/contract';
import { memberOf } from '../../runtime/record';
import { jsonSchema, jsonSchemaFields, withSchema } from './jsonSchema';
import { screenshotMembers, screenshotOptions } from './screenshot';

/** Fields of one format; the type decides which are shown. */
const formatFields: INodeProperties[] = [
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		default: 'markdown',
		options: [
			{ name: 'Attributes', value: 'attributes', description: 'Values of HTML attributes' },
			{ name: 'Audio', value: 'audio', description: 'MP3 of a supported video page, +4 credits' },
			{ name: 'Base64', value: 'rawBase64', description: 'The file itself; only on its own' },
			{ name: 'Branding', value: 'branding', description: 'Logo, colors, fonts and tone' },
			{
				name: 'Change Tracking',
				value: 'changeTracking',
				description: 'What changed since the last visit; needs Markdown too',
			},
			{
				name: 'Highlights',
				value: 'highlights',
				description: 'Passages that answer a query, +4 credits',
			},
			{ name: 'HTML', value: 'html', description: 'Cleaned HTML' },
			{ name: 'Images', value: 'images', description: 'Addresses of all images' },
			{ name: 'JSON', value: 'json', description: 'Fields read by a model, +4 credits' },
			{ name: 'Links', value: 'links', description: 'Addresses of all links' },
			{ name: 'Markdown', value: 'markdown' },
			{
				name: 'Menu',
				value: 'menu',
				description: 'Dishes and prices of a restaurant; the team must have the feature',
			},
			{ name: 'Product', value: 'product', description: 'Variants, prices and availability' },
			{ name: 'Question', value: 'question', description: 'An answer from the page, +4 credits' },
			{ name: 'Raw HTML', value: 'rawHtml', description: 'HTML as the server sent it' },
			{ name: 'Screenshot', value: 'screenshot', description: 'Image link, valid for 24 hours' },
			{ name: 'Summary', value: 'summary', description: 'The content in short' },
			{ name: 'Video', value: 'video', description: 'Video file of a page, +4 credits' },
		],
	},
	{
		displayName: 'Question',
		name: 'question',
		type: 'string',
		default: '',
		displayOptions: { show: { type: ['question'] } },
		description: 'What to answer from the page, up to 10,000 characters',
	},
	{
		displayName: 'Query',
		name: 'query',
		type: 'string',
		default: '',
		displayOptions: { show: { type: ['highlights'] } },
		description: 'What the passages must be about, up to 10,000 characters',
	},
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		displayOptions: { show: { type: ['json', 'changeTracking'] } },
		description: 'What to read from the page, in plain words, up to 10,000 characters',
	},
	...jsonSchemaFields({ show: { type: ['json', 'changeTracking'] } }),
	{
		displayName: 'Selectors',
		name: 'selectors',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Selector',
		default: {},
		displayOptions: { show: { type: ['attributes'] } },
		options: [
			{
				displayName: 'Selector',
				name: 'values',
				values: [
					{
						displayName: 'CSS Selector',
						name: 'selector',
						type: 'string',
						default: '',
						placeholder: 'e.g. a.product',
					},
					{
						displayName: 'Attribute',
						name: 'attribute',
						type: 'string',
						default: '',
						placeholder: 'e.g. data-sku',
					},
				],
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: { show: { type: ['json'] } },
		options: [
			{
				displayName: 'Check Prompt Injection',
				name: 'checkPromptInjection',
				type: 'boolean',
				default: true,
				description:
					'Whether to refuse a page that tries to instruct the model, +4 credits; the scrape option of that name does so for every format',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: { show: { type: ['changeTracking'] } },
		options: [
			{
				displayName: 'Modes',
				name: 'modes',
				type: 'multiOptions',
				default: ['git-diff'],
				options: [
					{ name: 'Git Diff', value: 'git-diff', description: 'Changed lines' },
					{ name: 'JSON', value: 'json', description: 'Changed fields of the schema' },
				],
			},
			{
				displayName: 'Tag',
				name: 'tag',
				type: 'string',
				default: '',
				description: 'Keeps a history of its own, compared only with visits under the same tag',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: { show: { type: ['screenshot'] } },
		options: screenshotOptions,
	},
];

const formatsFieldOf = (description: string, values: INodeProperties[]): INodeProperties => ({
	displayName: 'Formats',
	name: 'formats',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Format',
	default: {},
	description,
	options: [{ displayName: 'Format', name: 'values', values }],
});

/** What is made of each page (api-v2, Formats; attributes, question, highlights, video: addendum 4). */
export const formatsField = formatsFieldOf(
	'What to make of each page; markdown when empty. JSON, Question, Highlights, Audio and Video cost 4 more credits each.',
	formatFields,
);

/** Formats that need a browser or a visit, which a file has none of (addendum 8). */
const formatsOfVisits = ['audio', 'branding', 'changeTracking', 'rawBase64', 'screenshot', 'video'];

/** Formats that a search cannot make of its results (docs/api-notes.md, Requests). */
const formatsNotOfSearches = [
	'attributes',
	'audio',
	'branding',
	'changeTracking',
	'deterministicJson',
	'rawBase64',
	'video',
];

/** Fields of one format where some formats cannot be had. */
function fieldsWithout(types: string[]): INodeProperties[] {
	const isOut = (value: unknown) => typeof value === 'string' && types.includes(value);
	return formatFields
		.filter(({ displayOptions }) => !displayOptions?.show?.type?.every(isOut))
		.map((field) =>
			field.name === 'type'
				? {
						...field,
						options: field.options?.filter((option) => !('value' in option && isOut(option.value))),
					}
				: field,
		);
}

/** What is made of a file (addendum 8). */
export const fileFormatsField = formatsFieldOf(
	'What to make of the file; markdown when empty. JSON, Question and Highlights cost 4 more credits each.',
	fieldsWithout(formatsOfVisits),
);

/** What is made of each result of a search. */
export const searchFormatsField = formatsFieldOf(
	'What to make of each page; no page is read when empty. JSON, Question and Highlights cost 4 more credits each.',
	fieldsWithout(formatsNotOfSearches),
);

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
					if (prompt === undefined && schema === undefined)
						refuse(`needs a 'Prompt' or a 'Schema'`);
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
	{ set: 'open', editor: formatFields },
);

/** A list of formats with the rules between them (addendum 4, Format rules). */
const formatsOf = <Format extends z.ZodType<{ type: string }, z.ZodTypeDef, unknown>>(
	entry: Format,
) =>
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

/** The formats of a page. */
export const formats = () => formatsOf(format);

/** The formats of a file. */
export const fileFormats = () =>
	formats().superRefine((entries, context) => {
		for (const { type } of entries.filter((entry) => formatsOfVisits.includes(entry.type))) {
			context.addIssue({ code: 'custom', message: `takes no ${type}: a file is not visited` });
		}
	});

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

/** The formats of a search's results. */
export const searchFormats = () => formatsOf(searchFormat);
