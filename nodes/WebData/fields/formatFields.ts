import type { INodeProperties } from 'n8n-workflow';
import { boolean, required, anyOf, string } from '../../runtime/form/field';
import {
	entries,
	inCollection,
	objectParts,
	visibleWhen,
	type ObjectParts,
} from '../../runtime/form/form';
import { jsonSchemaFields, withSchema } from './jsonSchema';
import { fullPage, screenshotSettings } from './screenshot';
import { more } from './prices';

const longestText = 10_000;

/** The schema of a page's result. */
const schemaOf = (title: string) =>
	jsonSchemaFields({
		title,
		use: 'page',
		ifEmpty: 'Optional if there is a prompt',
	});

/** Settings with a schema, which may come from an example. */
const withExample = ({ properties, schema }: ObjectParts<object>): ObjectParts<object> => ({
	properties,
	schema: withSchema(schema),
});

const json = withExample(
	objectParts(
		{
			prompt: string({
				displayName: 'JSON Prompt',
				rows: 2,
				max: longestText,
				placeholder: 'e.g. The name and the price of the product',
				description: 'What to extract from the page, in natural language, up to 10,000 characters',
			}),
			...schemaOf('JSON '),
			checkPromptInjection: boolean({
				displayName: 'JSON Prompt Injection Check',
				description: `Whether to reject pages with instructions to the model, ${more('injectionCheck')}; the scrape option of that name applies to every format`,
			}),
		},
		({ prompt, schema }, reject) => {
			if (prompt === undefined && schema === undefined) {
				reject('is required where there is no schema', 'prompt');
			}
		},
	),
);

const question = objectParts({
	question: required(
		string({
			displayName: 'Question',
			max: longestText,
			placeholder: 'e.g. Which payment methods are accepted?',
			description: 'Question to answer from the page, up to 10,000 characters',
		}),
	),
});

const highlights = objectParts({
	query: required(
		string({
			displayName: 'Highlights Query',
			max: longestText,
			placeholder: 'e.g. delivery times',
			description: 'Topic of the passages to return, up to 10,000 characters',
		}),
	),
});

const screenshot = objectParts({
	fullPage: fullPage({ displayName: 'Full Page Screenshot', default: false }),
	...inCollection(
		{ name: 'options', displayName: 'Screenshot Options', placeholder: 'Add Option' },
		screenshotSettings,
	),
});

const attributes = objectParts({
	selectors: required(
		entries(
			{
				displayName: 'Attribute Selectors',
				entry: 'Selector',
				placeholder: 'Add Selector',
				default: { values: [{ selector: '', attribute: '' }] },
				min: 1,
				description: 'Which attributes of which elements to return',
			},
			objectParts({
				selector: required(string({ displayName: 'CSS Selector', placeholder: 'e.g. a.product' })),
				attribute: required(string({ displayName: 'Attribute', placeholder: 'e.g. data-sku' })),
			}),
		),
	),
});

const changeTracking = withExample(
	objectParts({
		modes: anyOf({
			displayName: 'Change Tracking Modes',
			default: ['git-diff'],
			options: [
				{ name: 'Changed Lines', value: 'git-diff', description: 'As in a Git diff' },
				{
					name: 'Changed Fields (JSON)',
					value: 'json',
					description: 'Old and new values of the fields of the schema',
				},
			],
			description: 'How to report changes. If empty, only whether the page changed.',
		}),
		...visibleWhen(
			{ modes: ['json'] },
			{
				prompt: string({
					displayName: 'Change Tracking Prompt',
					rows: 2,
					max: longestText,
					placeholder: 'e.g. The prices of all plans',
					description: 'Which fields to compare, in natural language, up to 10,000 characters',
				}),
				...schemaOf('Change Tracking '),
			},
		),
		tag: string({
			displayName: 'Change Tracking Tag',
			placeholder: 'e.g. hourly',
			description: 'Separate history: compares only with scrapes that have the same tag',
		}),
	}),
);

const menu = objectParts({
	modifiers: boolean({
		displayName: 'Menu Modifiers',
		description:
			'Whether to include options of each dish, such as sizes and extras, if available; slower, only Uber Eats and DoorDash',
	}),
});

/** A format: its option in the editor, and its settings by their names in the API. */
interface Format extends ObjectParts<object> {
	name: string;
	description: string;
}

const format = (
	name: string,
	description: string,
	settings: ObjectParts<object> = objectParts({}),
): Format => ({ name, description, ...settings });

/** The formats of the editor, sorted by name (https://docs.firecrawl.dev/features/scrape). */
export const knownFormats: Readonly<Record<string, Format>> = {
	attributes: format('Attributes', 'Values of HTML attributes', attributes),
	audio: format('Audio', `MP3 of a supported video page, ${more('audio')}`),
	rawBase64: format('Base64', 'The original file; cannot be combined with other formats'),
	branding: format('Branding', 'Logo, colors, fonts and tone'),
	changeTracking: format(
		'Change Tracking',
		'Changes since the last scrape; requires Markdown',
		changeTracking,
	),
	highlights: format(
		'Highlights',
		`Passages that answer a query, ${more('highlights')}`,
		highlights,
	),
	html: format('HTML', 'Cleaned HTML'),
	images: format('Images', 'URLs of all images'),
	json: format('JSON', `Structured data, extracted by a model, ${more('json')}`, json),
	links: format('Links', 'URLs of all links'),
	markdown: format('Markdown', 'Text with headings and tables'),
	menu: format('Menu', 'Dishes and prices of a restaurant; must be enabled for the team', menu),
	product: format('Product', 'Variants, prices and availability'),
	question: format('Question', `An answer from the page, ${more('question')}`, question),
	rawHtml: format('Raw HTML', 'Unmodified HTML'),
	screenshot: format('Screenshot', 'Image URL, valid for 24 hours', screenshot),
	summary: format('Summary', 'Summary of the content'),
	video: format('Video', `Video file of a page, ${more('video')}`),
};

/** The editor's fields of a format's settings. */
export const settingsOfFormat = (type: string): readonly INodeProperties[] =>
	Object.hasOwn(knownFormats, type) ? knownFormats[type].properties : [];

/**
 * Formats that need a browser or a visit, which files do not have
 * (https://docs.firecrawl.dev/api-reference/endpoint/parse).
 */
export const formatsOfVisits = [
	'audio',
	'branding',
	'changeTracking',
	'rawBase64',
	'screenshot',
	'video',
];

/** Formats that a search cannot return (docs/api-notes.md, Requests). */
export const formatsNotOfSearches = [
	'attributes',
	'audio',
	'branding',
	'changeTracking',
	'deterministicJson',
	'rawBase64',
	'video',
];

/** The editor's name of a format's field, with the format's own name as prefix. */
export const formatFieldName = (type: string, field: string): string =>
	field === type ? type : `${type}${field.charAt(0).toUpperCase()}${field.slice(1)}`;

/** The fields of a format, each shown while the format is chosen. */
const fieldsOfFormat = (type: string): INodeProperties[] =>
	settingsOfFormat(type).map((field) => ({
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

/** The position of a choice of formats, and the formats that are not available there. */
export interface Place {
	description: string;
	without?: string[];
}

/** The editor's fields of formats: the choice, and the settings of chosen formats. */
export function formatProperties({ description, without = [] }: Place) {
	const offered = Object.entries(knownFormats).filter(([value]) => !without.includes(value));
	const choice: Omit<INodeProperties, 'name'> = {
		displayName: 'Formats',
		type: 'multiOptions',
		default: ['markdown'],
		options: offered.map(([value, { name, description: text }]) => ({
			name,
			value,
			description: text,
		})),
		description,
	};
	const extraProperties = offered.flatMap(([type]) => fieldsOfFormat(type));
	return { property: choice, extraProperties };
}
