import { z } from 'zod/v3';
import {
	boolean,
	editorOnly,
	field,
	hidden,
	integer,
	list,
	notSent,
	oneOf,
	required,
	string,
	type OptionalField,
	type Shown,
} from '../../runtime/form/field';
import {
	byName,
	inCollection,
	object,
	objectParts,
	propertiesOf,
	visibleWhen,
	type FormFields,
} from '../../runtime/form/form';
import {
	booleanSchema,
	collectionFields,
	discriminatedUnion,
	forwardIssues,
	isOn,
	listSchema,
	oneOfSchema,
	stringSchema,
	type Reject,
	transformSchema,
} from '../../runtime/form/schema';
import type { Values } from '../../runtime/operation';
import { fromJson } from '../../runtime/values/json';
import { isRecord, type JsonRecord } from '../../runtime/values/record';
import { actions, waitingTime } from './actions';
import { formats, searchFormats } from './formats';
import { country, pairs } from './common';
import { costOf, more } from './prices';

const tags = (displayName: string, description: string, shown: Shown) =>
	list(displayName, description, { ...shown, entry: stringSchema() });

/** The location to scrape the page from (https://docs.firecrawl.dev/features/scrape). */
export const location = object(
	'Location',
	'Country and languages to request the page with',
	{ placeholder: 'Add Setting', default: { country: '' } },
	{
		country: country('Two-letter ISO country code, or us-generic'),
		languages: list(
			'Languages',
			"Comma-separated languages by preference; the country's languages if empty",
			{ entry: stringSchema(), placeholder: 'e.g. de-DE, en' },
		),
	},
);

/** Browser storage that persists between visits (https://docs.firecrawl.dev/features/scrape). */
export const profile = object(
	'Profile',
	'Persistent cookies and storage, for example to stay signed in',
	{ placeholder: 'Add Setting', default: { name: '' } },
	{
		name: required(
			string('Name', 'Name of the profile, up to 128 bytes', {
				maxBytes: 128,
				placeholder: 'e.g. shop-login',
			}),
		),
		saveChanges: boolean(
			'Save Changes',
			'Whether to save changes at the end; one session at a time',
			{ default: true },
		),
	},
);

const pdf = objectParts({
	maxPages: integer('Max Pages', 'Max number of pages to parse and pay for, 1 to 10,000', {
		min: 1,
		max: 10_000,
		default: 10,
	}),
	mode: oneOf('Mode', 'How to extract the text', {
		default: 'auto',
		options: {
			auto: ['Auto', 'Fast first, OCR for pages without text'],
			fast: ['Fast', 'Embedded text only'],
			ocr: ['OCR', 'OCR for every page'],
		},
	}),
	pageMarkers: boolean(
		'Page Markers',
		'Whether to mark in the markdown where each page begins; free',
		{ default: true },
	),
	pages: boolean(
		'Page Texts',
		"Whether to return the text of each page by its number, in 'pages'; free",
		{ default: true },
	),
});

const parserList = listSchema(discriminatedUnion({ pdf: pdf.schema }, 'open', ['image', 'pdf']));

/** The parser of PDFs, or the API's list (https://docs.firecrawl.dev/features/document-parsing). */
const parsers = field(
	{
		displayName: 'PDF',
		type: 'collection',
		placeholder: 'Add Setting',
		default: { mode: 'auto' },
		description: `How to parse PDFs, ${more('pdfPage')} per page after the first; newer servers then read no images by URL`,
		options: byName(pdf.properties),
	},
	transformSchema((value, context) => {
		const given = fromJson(value);
		const read = parserList.safeParse(isRecord(given) ? [{ ...given, type: 'pdf' }] : given);
		if (read.success) return read.data;
		for (const issue of read.error.issues) {
			// The editor's group is the only entry.
			const path = isRecord(given) ? issue.path.slice(1) : issue.path;
			context.addIssue({ ...issue, path });
		}
		return [];
	}),
);

/** The settings of redaction in *Request (JSON)*; others are sent as they are. */
const redaction = z
	.object({
		mode: oneOfSchema('accurate', 'aggressive', 'fast'),
		entities: listSchema(
			oneOfSchema('PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'),
		),
		replaceStyle: oneOfSchema('tag', 'mask', 'remove'),
	})
	.partial()
	.passthrough();

/** Redaction of personal data in the markdown; *Request (JSON)* may give the API's settings. */
const redactPII = field(
	{
		displayName: 'Redact Personal Data',
		type: 'boolean',
		default: false,
		description: `Whether to remove personal data from the markdown, ${more('redaction')} per page and PDF page`,
	},
	transformSchema((value, context): boolean | JsonRecord => {
		const given = fromJson(value);
		const read = (isRecord(given) ? redaction : booleanSchema()).safeParse(given);
		return read.success ? read.data : forwardIssues(read.error, context);
	}),
);

/** The scrape options except formats and actions (https://docs.firecrawl.dev/features/scrape). */
export const scrapeOptionGroup = {
	blockAds: boolean('Block Ads', 'Whether to block ads and cookie notices', { default: true }),
	excludeTags: tags('Exclude Tags', 'Comma-separated tags, classes or selectors to exclude', {
		placeholder: 'e.g. nav, .ad, #footer',
	}),
	headers: pairs(
		'Headers',
		'HTTP headers to send to the page, such as a cookie; disables the cache',
		'Add Header',
	),
	includeTags: tags('Include Tags', 'Comma-separated tags, classes or selectors to include', {
		placeholder: 'e.g. article, .price',
	}),
	location,
	maxAge: integer(
		'Max Age',
		'Max age of a cached copy, in milliseconds; 0 bypasses the cache; two days if not set',
		{ min: 0, unit: 'milliseconds', default: 0 },
	),
	mobile: boolean('Mobile', 'Whether to emulate a mobile device'),
	onlyMainContent: boolean('Only Main Content', 'Whether to exclude headers, menus and footers', {
		default: true,
	}),
	parsers,
	profile,
	proxy: oneOf('Proxy', 'Proxy type; on the hosted service, all behave like Auto', {
		default: 'auto',
		options: { auto: 'Auto', basic: 'Basic', enhanced: 'Enhanced', stealth: 'Stealth' },
	}),
	redactPII,
	timeout: integer('Timeout', 'Max time per page, in milliseconds, 1,000 to 300,000', {
		min: 1000,
		max: 300_000,
		unit: 'milliseconds',
		default: 60_000,
	}),
	waitFor: integer(
		'Wait For',
		'Wait before scraping, in milliseconds, up to 60,000 and at most half the timeout',
		{ min: 0, max: 60_000, unit: 'milliseconds', default: 1000 },
	),
};

/** Default timeout of a page, in milliseconds. */
export const defaultScrapeTimeout = 60_000;

const longestWait = 60_000;

/** Validates the times of scrape options (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
export function scrapeOptionRules(
	{
		waitFor = 0,
		timeout = defaultScrapeTimeout,
		actions: steps = [],
	}: { waitFor?: number; timeout?: number; actions?: JsonRecord[] },
	reject: Reject,
): void {
	if (waitFor > timeout / 2) {
		reject(
			`must be at most half the timeout of ${timeout} milliseconds, not ${waitFor}`,
			'waitFor',
		);
	}
	const waiting = waitFor + waitingTime(steps);
	if (waiting > longestWait) {
		reject(
			`must wait at most 60 seconds together with 'Wait For', not ${waiting / 1000}`,
			'actions',
		);
	}
}

/** The names of all scrape options. */
export const scrapeOptionNames = ['formats', 'actions', ...Object.keys(scrapeOptionGroup)];

/** Formats and actions, which are beside their group in the editor and fields of the object. */
const besideGroup = { formats: hidden(formats.valueSchema), actions: hidden(actions.valueSchema) };

const group = {
	name: 'scrapeOptions',
	displayName: 'Scrape Options',
	placeholder: 'Add Scrape Option',
	description: 'How to scrape pages; Request (JSON) has more options',
};

/** Scrape options as an object, which the editor shows as a group. */
function asObject<Fields extends FormFields>(others: Fields) {
	const fields = { ...scrapeOptionGroup, ...others };
	const [property] = propertiesOf(inCollection(group, fields));
	const { schema } = objectParts(fields, scrapeOptionRules);
	return field(property, schema);
}

/** Scrape options without a choice of formats. */
export const scrapeOptionsAlone = asObject({});

/** Creates the function that reads scrape options with the formats beside their group. */
const readWith = (chosen: typeof formats) => (values: Values) => ({
	...collectionFields(values.scrapeOptions),
	formats: chosen.read(values),
});

/** The scrape options of a crawl's pages. */
export const crawlReading = { ...asObject(besideGroup), read: readWith(formats) };

/** A field for *Request (JSON)* that the editor does not show. */
const jsonOnly = <Value>(given: OptionalField<Value>) => ({ ...given, property: undefined });

const ofSearch = asObject({
	...besideGroup,
	formats: hidden(searchFormats.valueSchema),
	// The search has its own fields of these names.
	location: jsonOnly(location),
	timeout: jsonOnly(scrapeOptionGroup.timeout),
});

/** The scrape options of a search's results. A search does not support every format. */
export const searchReading = {
	scrapeResults: notSent(
		boolean('Scrape Results', 'Whether to scrape each result, and not only list it', {
			hint: `${costOf('page')} or more per result`,
		}),
	),
	...visibleWhen(
		{ scrapeResults: [true] },
		{
			formats: editorOnly(searchFormats),
			actions: editorOnly(actions),
			scrapeOptions: {
				...ofSearch,
				read: (values: Values) =>
					isOn(values.scrapeResults)
						? { ...readWith(searchFormats)(values), actions: values.actions }
						: undefined,
			},
		},
	),
};
