import { isOn, collectionFields, stringSchema, type Reject } from '../../runtime/form/schema';
import {
	boolean,
	editorOnly,
	field,
	hidden,
	integer,
	list,
	oneOf,
	type OptionalField,
} from '../../runtime/form/field';
import {
	inCollection,
	objectParts,
	propertiesOf,
	visibleWhen,
	type FormFields,
} from '../../runtime/form/form';
import type { Values } from '../../runtime/operation/operation';
import type { JsonRecord } from '../../runtime/values/record';
import { actions, waitingTime } from './actions';
import { ChosenFormats } from './chosenFormats';
import { formats, searchFormats } from './formats';
import { location } from './location';
import { pairs } from './pairs';
import { parsers } from './parsers';
import { profile } from './profile';
import { redactPII } from './redactPII';
import { zeroDataRetention } from './zeroDataRetention';
import { costOf, more } from './prices';

const tags = (about: { displayName: string; placeholder: string; description: string }) =>
	list({ ...about, entry: stringSchema() });

/** The scrape options except formats and actions (https://docs.firecrawl.dev/features/scrape). */
export const scrapeOptionGroup = {
	blockAds: boolean({
		displayName: 'Block Ads',
		description: 'Whether to block ads and cookie notices. Enabled by default.',
	}),
	checkPromptInjection: boolean({
		displayName: 'Check Prompt Injection',
		default: true,
		description: `Whether to reject pages with instructions to AI models, for all formats except Base64, ${more('injectionCheck')}; ${costOf('checkedFailure')} if rejected`,
	}),
	excludeTags: tags({
		displayName: 'Exclude Tags',
		placeholder: 'e.g. nav, .ad, #footer',
		description: 'Comma-separated tags, classes or selectors to exclude',
	}),
	headers: pairs({
		displayName: 'Headers',
		button: 'Add Header',
		description: 'HTTP headers to send to the page, such as a cookie; disables the cache',
	}),
	includeTags: tags({
		displayName: 'Include Tags',
		placeholder: 'e.g. article, .price',
		description: 'Comma-separated tags, classes or selectors to include',
	}),
	location,
	lockdown: boolean({
		displayName: 'Lockdown',
		default: true,
		description: `Whether to return only cached pages without any request to the site, ${more('lockdown')}; ${costOf('lockdownMiss')} if not cached`,
	}),
	maxAge: integer({
		displayName: 'Max Age',
		min: 0,
		unit: 'milliseconds',
		default: 0,
		description:
			'Max age of a cached copy, in milliseconds; 0 bypasses the cache, two days by default',
	}),
	minAge: integer({
		displayName: 'Min Age',
		min: 0,
		unit: 'milliseconds',
		default: 1,
		description: 'Min age of a cached copy, in milliseconds, without scraping; 1 accepts any copy',
	}),
	mobile: boolean({
		displayName: 'Mobile',
		default: true,
		description: 'Whether to emulate a mobile device',
	}),
	onlyCleanContent: boolean({
		displayName: 'Only Clean Content',
		default: true,
		description:
			'Whether a model removes remaining menus and notices from the markdown (beta); not with lockdown or zero data retention',
	}),
	onlyMainContent: boolean({
		displayName: 'Only Main Content',
		description: 'Whether to exclude headers, menus and footers. Enabled by default.',
	}),
	parsers,
	profile,
	proxy: oneOf({
		displayName: 'Proxy',
		default: 'auto',
		options: [
			{ name: 'Auto', value: 'auto' },
			{ name: 'Basic', value: 'basic' },
			{ name: 'Enhanced', value: 'enhanced' },
			{ name: 'Stealth', value: 'stealth', description: 'Former name of Enhanced' },
		],
		description:
			'Proxy type. On the hosted service, all values now behave like Auto at the same price.',
	}),
	redactPII,
	removeBase64Images: boolean({
		displayName: 'Remove Base64 Images',
		description: 'Whether to remove embedded images from the markdown. Enabled by default.',
	}),
	skipTlsVerification: boolean({
		displayName: 'Skip TLS Verification',
		description: 'Whether to accept invalid certificates of the site',
	}),
	storeInCache: boolean({
		displayName: 'Store in Cache',
		description:
			'Whether to cache the page for later requests. Enabled by default, unless actions or headers are set.',
	}),
	timeout: integer({
		displayName: 'Timeout',
		min: 1000,
		max: 300_000,
		unit: 'milliseconds',
		default: 60_000,
		description: 'Max time per page, in milliseconds, 1,000 to 300,000',
	}),
	waitFor: integer({
		displayName: 'Wait For',
		min: 0,
		max: 60_000,
		unit: 'milliseconds',
		default: 1000,
		description: 'Wait before scraping, in milliseconds, up to 60,000 and at most half the timeout',
	}),
};

/** Default timeout of a page, in milliseconds. */
export const defaultScrapeTimeout = 60_000;

const longestWait = 60_000;

/**
 * Validates scrape options together (https://docs.firecrawl.dev/api-reference/endpoint/scrape):
 * `waitFor` is at most half the timeout, the total wait a minute, and a profile needs a visit
 * (docs/api-notes.md, Requests).
 */
export function scrapeOptionRules(
	options: {
		waitFor?: number;
		timeout?: number;
		actions?: Array<Record<string, unknown>>;
		lockdown?: boolean;
		profile?: unknown;
	},
	reject: Reject,
): void {
	if (options.lockdown && options.profile) {
		reject(`cannot be used together with 'Lockdown'`, 'profile');
	}
	const { waitFor = 0, timeout = defaultScrapeTimeout } = options;
	if (waitFor > timeout / 2) {
		reject(
			`must be at most half the timeout of ${timeout} milliseconds, not ${waitFor}`,
			'waitFor',
		);
	}
	const waiting = waitFor + waitingTime(options.actions ?? []);
	if (waiting > longestWait) {
		reject(
			`must wait at most 60 seconds together with 'Wait For', not ${waiting / 1000}`,
			'actions',
		);
	}
}

const group = {
	name: 'scrapeOptions',
	displayName: 'Scrape Options',
	placeholder: 'Add Scrape Option',
	description: 'How to scrape pages',
};

/**
 * Scrape options as fields of the request: the actions, and the group of all others except formats.
 */
export const scrapeFields = { actions, ...inCollection(group, scrapeOptionGroup) };

/** The names of all scrape options. */
export const scrapeOptionNames = ['formats', ...Object.keys(scrapeFields)];

/** The group of scrape options. */
function readPageOptions(values: Values): JsonRecord {
	const own = collectionFields(values.scrapeOptions);
	return { ...own, parsers: parsers.read(own) };
}

/** The group of scrape options, including the formats and actions beside it. */
export const readScrapeOptions = (values: Values): JsonRecord => ({
	...readPageOptions(values),
	actions: values.actions,
	formats: new ChosenFormats(values),
});

/** Scrape options as an object, which the editor shows as a group. */
function asObject<Fields extends FormFields>(description: string, others: Fields) {
	const fields = { ...scrapeOptionGroup, ...others };
	const [property] = propertiesOf(inCollection({ ...group, description }, fields));
	const { schema } = objectParts(fields, scrapeOptionRules);
	return field(property, schema);
}

/** Scrape options without a choice of formats. */
export const scrapeOptionsAlone = { ...asObject(group.description, {}), read: readPageOptions };

/** Formats and actions, which are beside the group in the editor and fields of the object. */
const besideGroup = { formats: hidden(formats.valueSchema), actions: hidden(actions.valueSchema) };

/** Scrape options as an object. */
export const reading = {
	actions: editorOnly(actions),
	scrapeOptions: {
		...asObject(group.description, besideGroup),
		read: readScrapeOptions,
	},
};

/** A field for *Request (JSON)* that the editor does not show. */
const jsonOnly = <Value>(field: OptionalField<Value>) => ({ ...field, property: undefined });

const ofSearch = asObject(
	"How to scrape the results. Use 'Request (JSON)' to set location, threat protection and timeout of the pages.",
	{
		...besideGroup,
		formats: hidden(searchFormats.valueSchema),
		// The search has its own fields of these names. Those of pages are rarely needed, and
		// *Request (JSON)* accepts them.
		location: jsonOnly(location),
		timeout: jsonOnly(scrapeOptionGroup.timeout),
		// `enterprise` concerns the search itself; this only its scraped pages.
		zeroDataRetention: jsonOnly(zeroDataRetention),
	},
);

/** The scrape options of a search's results. A search does not support every format. */
export const searchReading = {
	scrapeResults: editorOnly(
		boolean({
			displayName: 'Scrape Results',
			description: `Whether to scrape each result, ${costOf('page')} or more each`,
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
					isOn(values.scrapeResults) ? readScrapeOptions(values) : undefined,
			},
		},
	),
};
