import type { INodeProperties } from 'n8n-workflow';
import {
	choice,
	fields,
	flag,
	list,
	membersOf,
	text,
	textMap,
	wholeNumber,
	type Refuse,
} from '../../runtime/contract';
import type { Values } from '../../runtime/operation';
import type { JsonRecord } from '../../runtime/record';
import { actions, actionsField, waitingTime } from './actions';
import { auditMetadata, auditMetadataField } from './auditMetadata';
import { ChosenFormats } from './chosenFormats';
import { formats, searchFormats } from './formats';
import { location, locationField } from './location';
import { pairs } from './pairs';
import { parsers, parsersField, withoutEmptyParsers } from './parsers';
import { profile, profileField } from './profile';
import { redactPII, redactPIIField } from './redactPII';
import { threatProtection, threatProtectionField } from './threatProtection';

/** Every row of the ScrapeOptions table (api-v2) but the formats and actions, alphabetical as the editor lists them. */
export const scrapeOptionFields: INodeProperties[] = [
	auditMetadataField,
	{
		displayName: 'Block Ads',
		name: 'blockAds',
		type: 'boolean',
		default: false,
		description: 'Whether to block ads and cookie notices; the service does unless told not to',
	},
	{
		displayName: 'Check Prompt Injection',
		name: 'checkPromptInjection',
		type: 'boolean',
		default: true,
		description:
			'Whether to refuse a page that tries to instruct AI models, whatever is made of it but Base64; 4 more credits',
	},
	{
		displayName: 'Exclude Tags',
		name: 'excludeTags',
		type: 'string',
		default: '',
		placeholder: 'e.g. nav, .ad, #footer',
		description: 'Comma-separated tags, classes or selectors to leave out',
	},
	pairs({
		displayName: 'Headers',
		name: 'headers',
		button: 'Add Header',
		description:
			"HTTP headers to send to the page, such as a cookie; turns the service's cache off",
	}),
	{
		displayName: 'Include Tags',
		name: 'includeTags',
		type: 'string',
		default: '',
		placeholder: 'e.g. article, .price',
		description: 'Comma-separated tags, classes or selectors to keep',
	},
	locationField,
	{
		displayName: 'Lockdown',
		name: 'lockdown',
		type: 'boolean',
		default: true,
		description:
			'Whether to serve from the cache only and never visit the page; 5 credits when found, 1 when not',
	},
	{
		displayName: 'Max Age',
		name: 'maxAge',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			"Oldest cached copy to accept, in milliseconds; 0 visits the page anew, two days is the service's default",
	},
	{
		displayName: 'Min Age',
		name: 'minAge',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 1,
		description:
			'Looks into the cache only, for a copy at least this old in milliseconds; 1 takes any copy',
	},
	{
		displayName: 'Mobile',
		name: 'mobile',
		type: 'boolean',
		default: true,
		description: 'Whether to visit as a mobile device',
	},
	{
		displayName: 'Only Clean Content',
		name: 'onlyCleanContent',
		type: 'boolean',
		default: true,
		description:
			'Whether a model removes what is left of menus and notices from the markdown (beta); not with lockdown or zero data retention',
	},
	{
		displayName: 'Only Main Content',
		name: 'onlyMainContent',
		type: 'boolean',
		default: false,
		description:
			'Whether to leave out headers, menus and footers; the service does unless told not to',
	},
	parsersField,
	profileField,
	{
		displayName: 'Proxy',
		name: 'proxy',
		type: 'options',
		default: 'auto',
		options: [
			{ name: 'Auto', value: 'auto', description: 'Basic first, enhanced when that fails' },
			{ name: 'Basic', value: 'basic' },
			{ name: 'Enhanced', value: 'enhanced', description: 'For sites that block visits' },
			{ name: 'Stealth', value: 'stealth', description: 'The former name of Enhanced' },
		],
		description: 'How the page is reached',
	},
	redactPIIField,
	{
		displayName: 'Remove Base64 Images',
		name: 'removeBase64Images',
		type: 'boolean',
		default: false,
		description:
			'Whether to take embedded images out of the markdown; the service does unless told not to',
	},
	{
		displayName: 'Skip TLS Verification',
		name: 'skipTlsVerification',
		type: 'boolean',
		default: false,
		description: 'Whether to accept invalid certificates of the visited site',
	},
	{
		displayName: 'Store in Cache',
		name: 'storeInCache',
		type: 'boolean',
		default: false,
		description:
			'Whether the service may keep the page for later requests; it does unless told not to, or given actions or headers',
	},
	threatProtectionField,
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1000, maxValue: 300000 },
		default: 60000,
		description: 'Longest time for a page, in milliseconds, 1,000 to 300,000',
	},
	{
		displayName: 'Wait For',
		name: 'waitFor',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 60000 },
		default: 1000,
		description:
			'Pause before the page is read, in milliseconds, up to 60,000 and at most half the timeout',
	},
];

/** Contract members for the formats, the actions and `scrapeOptionFields`. */
export const scrapeOptionMembers = {
	formats: formats().optional(),
	onlyMainContent: flag().optional(),
	onlyCleanContent: flag().optional(),
	includeTags: list(text()).optional(),
	excludeTags: list(text()).optional(),
	maxAge: wholeNumber({ min: 0, unit: 'milliseconds' }).optional(),
	minAge: wholeNumber({ min: 0, unit: 'milliseconds' }).optional(),
	headers: textMap().optional(),
	waitFor: wholeNumber({ min: 0, max: 60_000, unit: 'milliseconds' }).optional(),
	mobile: flag().optional(),
	skipTlsVerification: flag().optional(),
	timeout: wholeNumber({ min: 1000, max: 300_000, unit: 'milliseconds' }).optional(),
	parsers: parsers().optional(),
	actions: actions().optional(),
	location: location().optional(),
	removeBase64Images: flag().optional(),
	blockAds: flag().optional(),
	proxy: choice('auto', 'basic', 'enhanced', 'stealth').optional(),
	storeInCache: flag().optional(),
	lockdown: flag().optional(),
	checkPromptInjection: flag().optional(),
	redactPII: redactPII().optional(),
	profile: profile().optional(),
	threatProtection: threatProtection().optional(),
	auditMetadata: auditMetadata().optional(),
};

/** A page's timeout when the request names none, in milliseconds (api-v2, Limits). */
export const defaultScrapeTimeout = 60_000;

const longestWait = 60_000;

/** Rules between scrape options (addendum 4): `waitFor` within half the timeout, a minute of waiting in all, and no profile where no page is visited (docs/api-notes.md, Requests). */
export function scrapeOptionRules(
	options: {
		waitFor?: number;
		timeout?: number;
		actions?: Array<Record<string, unknown>>;
		lockdown?: boolean;
		profile?: unknown;
	},
	refuse: Refuse,
): void {
	if (options.lockdown && options.profile) {
		refuse(`cannot be used together with 'Lockdown'`, 'profile');
	}
	const { waitFor = 0, timeout = defaultScrapeTimeout } = options;
	if (waitFor > timeout / 2) {
		refuse(
			`must be at most half the timeout of ${timeout} milliseconds, not ${waitFor}`,
			'waitFor',
		);
	}
	const waiting = waitFor + waitingTime(options.actions ?? []);
	if (waiting > longestWait) {
		refuse(
			`must wait at most 60 seconds together with 'Wait For', not ${waiting / 1000}`,
			'actions',
		);
	}
}

/** ScrapeOptions as an object of its own, as crawl wraps it. */
export const scrapeOptions = () => fields(scrapeOptionMembers, scrapeOptionRules);

/**
 * ScrapeOptions of a search, which cannot make every format. Its pages alone can be kept from storage:
 * `enterprise` is about the search itself.
 */
export const searchScrapeOptions = () =>
	fields(
		{
			...scrapeOptionMembers,
			formats: searchFormats().optional(),
			zeroDataRetention: flag().optional(),
		},
		scrapeOptionRules,
	);

/** ScrapeOptions as one group of the editor; the formats and actions stand beside it. */
const scrapeOptionsField: INodeProperties = {
	displayName: 'Scrape Options',
	name: 'scrapeOptions',
	type: 'collection',
	placeholder: 'Add Scrape Option',
	default: {},
	description: 'How pages are read',
	options: scrapeOptionFields,
};

/** How pages are read: the actions, which have fields of their own for each type, and the group of all else. */
export const readingFields: INodeProperties[] = [actionsField, scrapeOptionsField];

/** The group of scrape options, and among them the formats and actions that stand beside it. */
export const readScrapeOptions = (values: Values): JsonRecord => ({
	...withoutEmptyParsers(membersOf(values.scrapeOptions)),
	actions: values.actions,
	formats: new ChosenFormats(values),
});

/** What a search has under the same name itself. That of the pages is rarely wanted, and *Request (JSON)* takes it. */
const searchesOwn = new Set(['location', 'threatProtection', 'timeout']);

const whenPagesAreRead = { show: { readPages: [true] } };

/** How the pages of a search are read, where they are. */
export const searchReadingFields: INodeProperties[] = [
	{ ...actionsField, displayOptions: whenPagesAreRead },
	{
		...scrapeOptionsField,
		displayOptions: whenPagesAreRead,
		description:
			"How the pages of the results are read. 'Request (JSON)' takes a location, threat protection and timeout of the pages.",
		options: scrapeOptionFields.filter(({ name }) => !searchesOwn.has(name)),
	},
];
