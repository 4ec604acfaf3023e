import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';
import { anyKnown, anyOf, boolean, required, string, type Choices } from '../../runtime/form/field';
import { objectParts, visibleWhen, type ObjectParts } from '../../runtime/form/form';
import { discriminatedUnion, listSchema, transformSchema } from '../../runtime/form/schema';
import type { Values } from '../../runtime/operation';
import { rememberLast, isUnset } from '../../runtime/values/record';
import { jsonSchemaFields, withSchema } from './jsonSchema';
import { more } from './prices';

const longestText = 10_000;

/** The schema of a page's result. */
const resultSchema = (title: string) =>
	jsonSchemaFields({ title, ifEmpty: 'Optional if there is a prompt' });

/** Settings with a schema, which may come from an example. */
const withExample = ({ properties, schema }: ObjectParts<object>): ObjectParts<object> => ({
	properties,
	schema: withSchema(schema),
});

const json = withExample(
	objectParts(
		{
			prompt: string(
				'JSON Prompt',
				'What to extract from the page, in natural language, up to 10,000 characters',
				{ rows: 2, max: longestText, placeholder: 'e.g. The name and the price of the product' },
			),
			...resultSchema('JSON '),
		},
		({ prompt, schema }, reject) => {
			if (prompt === undefined && schema === undefined) {
				reject('is required without an example or a schema', 'prompt');
			}
		},
	),
);

const question = objectParts({
	question: required(
		string('Question', 'Question to answer from the page, up to 10,000 characters', {
			max: longestText,
			placeholder: 'e.g. Which payment methods are accepted?',
		}),
	),
});

const highlights = objectParts({
	query: required(
		string('Highlights Query', 'Topic of the passages to return, up to 10,000 characters', {
			max: longestText,
			placeholder: 'e.g. delivery times',
		}),
	),
});

const screenshot = objectParts({
	fullPage: boolean(
		'Full Page Screenshot',
		'Whether to capture the full page instead of the viewport',
	),
});

const changeTracking = withExample(
	objectParts({
		modes: anyOf(
			'Change Tracking Modes',
			'How to report changes. If empty, only whether the page changed.',
			{
				default: ['git-diff'],
				options: {
					'git-diff': ['Changed Lines', 'As in a Git diff'],
					json: ['Changed Fields (JSON)', 'Old and new values of the fields of the schema'],
				},
			},
		),
		...visibleWhen(
			{ modes: ['json'] },
			{
				prompt: string(
					'Change Tracking Prompt',
					'Which fields to compare, in natural language, up to 10,000 characters',
					{ rows: 2, max: longestText, placeholder: 'e.g. The prices of all plans' },
				),
				...resultSchema('Change Tracking '),
			},
		),
		tag: string(
			'Change Tracking Tag',
			'Separate history: compares only with scrapes that have the same tag',
			{ placeholder: 'e.g. hourly' },
		),
	}),
);

/** The formats of the editor, sorted by name (https://docs.firecrawl.dev/features/scrape). */
const knownFormats: Choices<string> = {
	audio: ['Audio', `MP3 of a supported video page, ${more('audio')}`],
	rawBase64: ['Base64', 'The original file; cannot be combined with other formats'],
	branding: ['Branding', 'Logo, colors, fonts and tone'],
	changeTracking: ['Change Tracking', 'Changes since the last scrape; requires Markdown'],
	highlights: ['Highlights', `Passages that answer a query, ${more('highlights')}`],
	html: ['HTML', 'Cleaned HTML'],
	images: ['Images', 'URLs of all images'],
	json: ['JSON', `Structured data, extracted by a model, ${more('json')}`],
	links: ['Links', 'URLs of all links'],
	markdown: ['Markdown', 'Text with headings and tables'],
	menu: ['Menu', 'Dishes and prices of a restaurant; must be enabled for the team'],
	product: ['Product', 'Variants, prices and availability'],
	question: ['Question', `An answer from the page, ${more('question')}`],
	rawHtml: ['Raw HTML', 'Unmodified HTML'],
	screenshot: ['Screenshot', 'Image URL, valid for 24 hours; a file by Download Files'],
	summary: ['Summary', 'Summary of the content'],
	video: ['Video', `Video file of a page, ${more('video')}`],
};

/** The settings of formats, by their names in the API. */
const formatSettings: Readonly<Record<string, ObjectParts<object>>> = {
	changeTracking,
	highlights,
	json,
	question,
	screenshot,
};

/** The editor's fields of a format's settings. */
const settingsOf = (type: string): readonly INodeProperties[] =>
	Object.hasOwn(formatSettings, type) ? formatSettings[type].properties : [];

/** The editor's name of a format's field, with the format's own name as prefix. */
export const fieldName = (type: string, setting: string): string =>
	setting === type ? type : `${type}${setting.charAt(0).toUpperCase()}${setting.slice(1)}`;

/** The fields of a format, each shown while the format is chosen. */
const fieldsOfFormat = (type: string): INodeProperties[] =>
	settingsOf(type).map((setting) => {
		const others = Object.entries(setting.displayOptions?.show ?? {});
		const beside = others.map(([name, wanted]) => [fieldName(type, name), wanted]);
		return {
			...setting,
			name: fieldName(type, setting.name),
			displayOptions: { show: { formats: [type], ...Object.fromEntries(beside) } },
		};
	});

const anyList = listSchema(z.unknown());

/** The chosen options, also from an expression's text; undefined if that is no list. */
const chosenIn = (value: unknown): unknown[] | undefined =>
	isUnset(value) ? [] : anyList.safeParse(value).data;

/** Whether the editor shows a setting; it shows all of them while the formats are an expression. */
const isShown = ({ displayOptions }: INodeProperties, stored: Values) =>
	Object.entries(displayOptions?.show ?? {}).every(
		([name, wanted]) =>
			stored[name] === undefined ||
			chosenIn(stored[name])?.some((each) => wanted?.some((one) => one === each)),
	);

/** A format by its name, with its settings from the editor's fields. */
function entryOf(type: string, values: Values): unknown {
	const settings = settingsOf(type);
	if (settings.length === 0) return type;
	const stored = Object.fromEntries(
		settings.map(({ name }) => [name, values[fieldName(type, name)]]),
	);
	const shown = settings
		// A switch that is off is always there.
		.filter((setting) => isShown(setting, stored) && stored[setting.name] !== false)
		.map(({ name }) => [name, stored[name]])
		.filter(([, value]) => value !== undefined);
	return { type, ...Object.fromEntries(shown) };
}

/** Formats as the editor stores them: names, or entries as the API has them, and fields of their own. */
export class ChosenFormats {
	private readonly chosen: unknown;

	constructor(private readonly values: Values) {
		this.chosen = chosenIn(values.formats) ?? values.formats;
	}

	/** Whether they are the editor's default: markdown only, or nothing. */
	get isUntouched(): boolean {
		return Array.isArray(this.chosen) && this.chosen.every((each) => each === 'markdown');
	}

	/** The formats in the API's form; anything but a list stays unchanged. */
	get entries(): unknown {
		const { chosen, values } = this;
		if (!Array.isArray(chosen)) return chosen;
		return chosen.map((each: unknown) => (typeof each === 'string' ? entryOf(each, values) : each));
	}

	/** The path of the editor's field for a path in the entries, from the choice of formats on. */
	fieldAt(path: Array<string | number>): Array<string | number> {
		const [index, setting, ...rest] = path;
		const type: unknown = Array.isArray(this.chosen) ? this.chosen[Number(index)] : undefined;
		if (typeof type !== 'string' || typeof setting !== 'string') return path;
		if (setting === 'type') return [index];
		const isField = settingsOf(type).some(({ name }) => name === setting);
		return isField ? [fieldName(type, setting), ...rest] : path;
	}
}

/** Formats without settings here pass as an expression gives them. */
const anyFormat = discriminatedUnion(
	Object.fromEntries(
		Object.entries(formatSettings).map(([type, { schema }]) => [type, schema] as const),
	),
	'open',
	[...Object.keys(knownFormats), 'attributes', 'deterministicJson', 'query'],
);

/** The formats that a place does not have, and the reason. */
interface Place {
	description: string;
	without?: string[];
	because?: string;
	/** What is sent for the editor's default, markdown; nothing by default. */
	untouched?: Array<{ type: string }>;
}

/** A choice of formats, which includes the fields of chosen formats. */
function formatField({ description, without = [], because, untouched }: Place) {
	const offered = Object.entries(knownFormats).filter(([type]) => !without.includes(type));
	const list = listSchema(anyFormat).superRefine((entries, context) => {
		const reject = (message: string) => context.addIssue({ code: 'custom', message });
		const types = entries.map(({ type }) => type);
		for (const type of types.filter((each) => without.includes(each))) {
			reject(`does not support ${type} ${because}`);
		}
		if (types.includes('changeTracking') && !types.includes('markdown')) {
			reject('requires Markdown together with Change Tracking');
		}
		if (types.includes('rawBase64') && types.length > 1) {
			reject('does not allow Base64 together with other formats');
		}
	});
	const schema = transformSchema((given, context): z.output<typeof list> | undefined => {
		const chosen = given instanceof ChosenFormats ? given : undefined;
		if (chosen?.isUntouched) return untouched;
		const read = list.safeParse(chosen ? chosen.entries : given);
		if (read.success) return read.data;
		for (const issue of read.error.issues) {
			context.addIssue({ ...issue, path: chosen?.fieldAt(issue.path) ?? issue.path });
		}
		return z.NEVER;
	});
	const extraProperties = offered.flatMap(([type]) => fieldsOfFormat(type));
	const names = ['formats', ...extraProperties.map(({ name }) => name)];
	return {
		...anyKnown('Formats', description, schema, {
			default: ['markdown'],
			options: Object.fromEntries(offered),
		}),
		extraProperties,
		read: rememberLast(names, (values) => new ChosenFormats(values)),
	};
}

/** The formats of each page. Markdown only is the service's default, and is not sent. */
export const formats = formatField({
	description: 'Formats to return for each page; markdown if empty; others by Request (JSON)',
});

/** The formats of a file (https://docs.firecrawl.dev/api-reference/endpoint/parse). */
export const fileFormats = formatField({
	description: 'Formats to return for the file; markdown if empty; others by Request (JSON)',
	without: ['audio', 'branding', 'changeTracking', 'rawBase64', 'screenshot', 'video'],
	because: 'for files',
});

/** The formats of a search's results, which are only scraped with one (docs/api-notes.md, Requests). */
export const searchFormats = formatField({
	description: 'Formats to return for each result; markdown if empty; others by Request (JSON)',
	without: [
		'attributes',
		'audio',
		'branding',
		'changeTracking',
		'deterministicJson',
		'rawBase64',
		'video',
	],
	because: 'in a search: use Scrape of the resource Page with the URLs of the results',
	untouched: [{ type: 'markdown' }],
});
