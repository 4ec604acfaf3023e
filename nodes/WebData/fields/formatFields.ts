import type { INodeProperties } from 'n8n-workflow';
import { jsonSchemaFields } from './jsonSchema';
import { fullPageField, furtherScreenshotOptions } from './screenshot';

/** Every format that the editor knows (api-v2, Formats; attributes, question, highlights, video: addendum 4). */
const choices = [
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
	{ name: 'Markdown', value: 'markdown', description: 'The text with its headings and tables' },
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
];

/** Formats that need a browser or a visit, which a file has none of (addendum 8). */
export const formatsOfVisits = [
	'audio',
	'branding',
	'changeTracking',
	'rawBase64',
	'screenshot',
	'video',
];

/** Formats that a search cannot make of its results (docs/api-notes.md, Requests). */
export const formatsNotOfSearches = [
	'attributes',
	'audio',
	'branding',
	'changeTracking',
	'deterministicJson',
	'rawBase64',
	'video',
];

const shownWith = (field: INodeProperties, show: Record<string, Array<string | boolean>>) => ({
	...field,
	displayOptions: { show: { ...show, ...field.displayOptions?.show } },
});

const whenPrompted = 'Until it is changed, it counts only where there is no prompt';

/**
 * What can be set of a format, by the names that the API gives its members; `options` is a group of
 * some. What is shown for what is told by these names, too.
 */
export const formatSettings: Readonly<Record<string, readonly INodeProperties[]>> = {
	json: [
		{
			displayName: 'JSON Prompt',
			name: 'prompt',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. The name and the price of the product',
			description: 'What to read from the page, in plain words, up to 10,000 characters',
		},
		...jsonSchemaFields('JSON ', whenPrompted),
		{
			displayName: 'JSON Prompt Injection Check',
			name: 'checkPromptInjection',
			type: 'boolean',
			default: false,
			description:
				'Whether to refuse a page that tries to instruct the model, +4 credits; the scrape option of that name does so for every format',
		},
	],
	question: [
		{
			displayName: 'Question',
			name: 'question',
			type: 'string',
			default: '',
			placeholder: 'e.g. Which ways to pay are there?',
			description: 'What to answer from the page, up to 10,000 characters',
		},
	],
	highlights: [
		{
			displayName: 'Highlights Query',
			name: 'query',
			type: 'string',
			default: '',
			placeholder: 'e.g. delivery times',
			description: 'What the passages must be about, up to 10,000 characters',
		},
	],
	screenshot: [
		{ ...fullPageField, displayName: 'Full Page Screenshot', default: false },
		{
			displayName: 'Screenshot Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: furtherScreenshotOptions,
		},
	],
	attributes: [
		{
			displayName: 'Attribute Selectors',
			name: 'selectors',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Selector',
			default: { values: [{ selector: '', attribute: '' }] },
			description: 'Which attributes of which elements to return',
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
	],
	changeTracking: [
		{
			displayName: 'Change Tracking Modes',
			name: 'modes',
			type: 'multiOptions',
			default: ['git-diff'],
			options: [
				{ name: 'Git Diff', value: 'git-diff', description: 'Changed lines' },
				{ name: 'JSON', value: 'json', description: 'Changed fields of the schema' },
			],
			description: 'What is told of a change; with none, only that there is one',
		},
		...[
			{
				displayName: 'Change Tracking Prompt',
				name: 'prompt',
				type: 'string',
				typeOptions: { rows: 2 },
				default: '',
				placeholder: 'e.g. The prices of all plans',
				description: 'Which fields to compare, in plain words, up to 10,000 characters',
			} satisfies INodeProperties,
			...jsonSchemaFields('Change Tracking ', whenPrompted),
		].map((field) => shownWith(field, { modes: ['json'] })),
		{
			displayName: 'Change Tracking Tag',
			name: 'tag',
			type: 'string',
			default: '',
			placeholder: 'e.g. hourly',
			description: 'Keeps a history of its own, compared only with visits under the same tag',
		},
	],
};

/** The name of the editor's field for a member of a format: the format's own name begins it. */
export const formatFieldName = (type: string, member: string): string =>
	member === type ? type : `${type}${member.charAt(0).toUpperCase()}${member.slice(1)}`;

/** The fields of a format, each shown while the format is chosen. */
const fieldsOfFormat = (type: string): INodeProperties[] =>
	(formatSettings[type] ?? []).map((field) => ({
		...field,
		name: formatFieldName(type, field.name),
		displayOptions: {
			show: {
				formats: [type],
				...Object.fromEntries(
					Object.entries(field.displayOptions?.show ?? {}).map(([name, wanted]) => [
						formatFieldName(type, name),
						wanted,
					]),
				),
			},
		},
	}));

/** Where formats stand, and which of them cannot be had there. */
interface Place {
	description: string;
	without?: string[];
	/** What the fields around must hold for formats to be shown. */
	show?: Record<string, Array<string | boolean>>;
}

/** The choice of formats, and behind it the fields of those that are chosen. */
export function formatFieldsOf({ description, without = [], show }: Place): INodeProperties[] {
	const offered = choices.filter(({ value }) => !without.includes(value));
	const field: INodeProperties = {
		displayName: 'Formats',
		name: 'formats',
		type: 'multiOptions',
		default: ['markdown'],
		options: offered,
		description,
	};
	const fields = [field, ...offered.flatMap(({ value }) => fieldsOfFormat(value))];
	return show ? fields.map((each) => shownWith(each, show)) : fields;
}

const pageDescription =
	'What to make of each page; markdown when nothing is chosen. JSON, Question, Highlights, Audio and Video cost 4 more credits each.';

/** What is made of each page. */
export const formatFields = formatFieldsOf({ description: pageDescription });

/** What is made of a file (addendum 8). */
export const fileFormatFields = formatFieldsOf({
	description:
		'What to make of the file; markdown when nothing is chosen. JSON, Question and Highlights cost 4 more credits each.',
	without: formatsOfVisits,
});

/** What is made of each result of a search whose pages are read. */
export const searchFormatFields = formatFieldsOf({
	description:
		'What to make of the page of each result; markdown when nothing is chosen. JSON, Question and Highlights cost 4 more credits each.',
	without: formatsNotOfSearches,
	show: { readPages: [true] },
});
