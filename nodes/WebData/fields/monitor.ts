import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';
import {
	collectionFields,
	jsonObject,
	listSchema,
	objectSchema,
	prepareFields,
	separateLines,
	stringSchema,
	ValidationFailure,
	unsetIfEmpty,
	forwardIssues,
	type Reject,
	type Schema,
	transformSchema,
} from '../../runtime/form/schema';
import {
	anyKnown,
	anyOf,
	boolean,
	editorOnly,
	field,
	integer,
	jsonField,
	list,
	required,
	string,
	textField,
	withDefault,
	type Choices,
	type Shown,
} from '../../runtime/form/field';
import { entries, object, section, variants, visibleWhen } from '../../runtime/form/form';
import { fromJson } from '../../runtime/values/json';
import { attempt } from '../../runtime/values/outcome';
import { fieldOf, isRecord, type JsonRecord, isBlank } from '../../runtime/values/record';
import { defaultCrawlLimit } from './crawlOptions';
import { recordPicker, uuid } from './common';
import { costOf, more } from './prices';
import { pageUrls, url } from './url';
import { webhook } from './webhook';

/** A monitor. The node registers `searchMonitors` for its list. */
export const monitorId = required(
	recordPicker('Monitor', 'Monitor, from the list or by ID', 'searchMonitors', uuid()),
);

/** The name of a monitor. */
export const monitorName = (description: string, shown: Shown = {}) =>
	string('Name', description, { max: 256, ...shown });

/** The changes to report. */
export const goal = string(
	'Goal',
	`Which changes matter, up to 2,000 characters; a model judges each, ${more('judge')}; required for Search`,
	{ rows: 2, max: 2000, placeholder: 'e.g. A price changes or a product is added' },
);

/** Whether a model judges which changes are meaningful. */
export const judgeEnabled = boolean(
	'Judge Changes',
	'Whether a model judges each change by the goal, if there is one',
	{ default: true },
);

/** The retention of checks in days. */
export const retentionDays = integer('Retention', 'How long to retain checks, in days, 1 to 365', {
	min: 1,
	max: 365,
	unit: 'days',
	default: 30,
});

/** The webhook for checks. Unlike those of jobs, its events have their full names. */
export const monitorWebhook = webhook({
	'monitor.check.completed': 'Check Completed',
	'monitor.page': ['Page', 'Each checked page, including unchanged ones'],
});

/** The service's default limit of a search's results. */
const usualResults = 10;

/** Further fields of a target, with an example of its type. */
const optionsJson = (example: string) => ({
	optionsJson: jsonField(
		'Options (JSON)',
		"More fields of the target, as the API names them; an existing target's id keeps its history",
		jsonObject(),
		{ hint: `e.g. ${example}` },
	),
});

/** A target by its type; an expression may give it in the API's form. The service validates other fields. */
const ofType = variants({
	description: 'What to watch',
	default: 'scrape',
	types: {
		crawl: ['Crawl', 'Pages of a site, including new and removed ones'],
		scrape: ['Scrape', 'Single pages'],
		search: ['Search', 'New search results; requires a goal'],
	},
	sections: [
		section(['scrape'], {
			urls: required(
				textField(
					'URLs',
					`Comma-separated URLs; each check costs ${costOf('page')} or more per page`,
					pageUrls({ min: 1 }),
					{ placeholder: 'e.g. https://example.com/a, https://example.com/b' },
				),
			),
		}),
		section(['crawl'], {
			url: required(
				textField(
					'URL',
					`Start URL of the crawl; each check costs ${costOf('page')} or more per page`,
					url(),
					{ placeholder: 'e.g. https://example.com/docs' },
				),
			),
			limit: integer('Limit', `Max number of pages per check; ${defaultCrawlLimit} if not set`, {
				min: 1,
				default: defaultCrawlLimit,
			}),
		}),
		section(['search'], {
			queries: required(
				textField(
					'Queries',
					`One per line, 1 to 12 of up to 256 characters; each check costs ${costOf('tenResults')} per 10 results`,
					// A query may contain commas.
					listSchema(stringSchema({ max: 256, normalize: (value) => value.trim() }), {
						min: 1,
						max: 12,
						separate: separateLines,
					}),
					{ rows: 3, placeholder: 'e.g. heat pump subsidies' },
				),
			),
			maxResults: integer(
				'Max Results',
				'Max number of results per check, 1 to 50, for all queries together',
				{ min: 1, max: 50, default: usualResults },
			),
		}),
		section(['scrape', 'crawl'], {
			formats: anyOf('Formats', 'Formats to return for each page; markdown if empty', {
				default: ['markdown'],
				// Others, and settings, by Options (JSON).
				options: {
					html: 'HTML',
					images: 'Images',
					links: 'Links',
					markdown: 'Markdown',
					rawHtml: 'Raw HTML',
					summary: 'Summary',
				},
			}),
		}),
		section(['scrape'], optionsJson('{"scrapeOptions": {"onlyMainContent": false}}')),
		section(['crawl'], optionsJson('{"crawlOptions": {"includePaths": ["/docs/.*"]}}')),
		section(['search'], optionsJson('{"searchWindow": "7d"}')),
	],
});

const group = (value: unknown): JsonRecord =>
	isRecord(value)
		? Object.fromEntries(Object.entries(value).filter(([name]) => name !== '__proto__'))
		: {};

/** The target as the API has it: formats and limit among its options, those of JSON over all. */
function toApi({
	optionsJson,
	formats: chosen,
	limit: most,
	maxResults,
	...own
}: JsonRecord & { type: string }) {
	const given = group(optionsJson);
	const isDefault = !Array.isArray(chosen) || chosen.every((format) => format === 'markdown');
	const scrapeOptions = {
		...(!isDefault && { formats: chosen }),
		...group(own.scrapeOptions),
		...group(given.scrapeOptions),
	};
	const crawlOptions = {
		// The service's default limit would be 10,000 pages per check.
		limit: most ?? defaultCrawlLimit,
		...group(own.crawlOptions),
		...group(given.crawlOptions),
	};
	return {
		...own,
		...(maxResults !== usualResults && maxResults !== undefined && { maxResults }),
		...given,
		type: own.type,
		...(Object.keys(scrapeOptions).length > 0 && { scrapeOptions }),
		...(own.type === 'crawl' && { crawlOptions }),
	};
}

/** The targets of a monitor. */
export const targets = entries(
	'Targets',
	'Pages, sites and searches to watch, 1 to 50; an update replaces all targets',
	{ entry: 'Target', placeholder: 'Add Target', min: 1, max: 50 },
	{ ...ofType, schema: ofType.schema.transform(toApi) },
);

/** Minute, hour and three further fields, of which the last two may have names. */
const cronForm = /^[\d*][\d*,/-]*\s+[\d*][\d*,/-]*(\s+\S+){3}$/;

/** A schedule as the API has it: its text is Cron or English. */
function scheduleOf(value: unknown): unknown {
	const given = fromJson(value);
	if (typeof value !== 'string' || isRecord(given)) return given;
	const text = value.trim();
	return cronForm.test(text) ? { cron: text } : { text };
}

/** A Cron expression with single spaces, or why it is none. */
const cronOf = (value: string) =>
	cronForm.test(value.trim())
		? value.trim().split(/\s+/).join(' ')
		: new ValidationFailure('must have five parts, such as 0 9 * * 1-5');

/** The name of a time zone, or why it is none. */
function zoneOf(value: string) {
	const timeZone = value.trim();
	return attempt(() => new Intl.DateTimeFormat('en', { timeZone })).ok
		? timeZone
		: new ValidationFailure('must be an IANA time zone, such as Europe/Berlin');
}

/** The schedule of a monitor. */
export const schedule = textField(
	'Schedule',
	'When to check, in English up to 128 characters or Cron; at most every 5 minutes',
	z.preprocess(
		scheduleOf,
		objectSchema(
			{
				cron: stringSchema({ normalize: cronOf }).optional(),
				text: stringSchema({ max: 128 }).optional(),
				timezone: stringSchema({ normalize: zoneOf }).optional(),
			},
			({ cron, text }, reject) => {
				if ((cron === undefined) === (text === undefined))
					reject("requires either 'cron' or 'text'");
			},
		),
	),
	{ placeholder: 'e.g. daily at 9am, or in Cron 0 9 * * 1-5' },
);

/** The time zone of the schedule. */
export const timezone = editorOnly(
	string('Time Zone', "IANA name of the schedule's time zone; UTC if empty", {
		placeholder: 'e.g. Europe/Berlin',
	}),
	(values) => values.timezone,
);

/** Moves the time zone into the schedule, where the API has it. */
export const withTimezone = <Request>(schema: Schema<Request>): Schema<Request> =>
	prepareFields(schema, ({ timezone: zone, ...request }) =>
		isBlank(zone)
			? request
			: {
					...request,
					schedule: { timezone: zone, ...collectionFields(scheduleOf(request.schedule)) },
				},
	);

const email = object(
	'Email Notification',
	"Summary of each check with changes; an update replaces all. Slack by 'Request (JSON)'.",
	{ placeholder: 'Add Setting', default: { enabled: true } },
	{
		enabled: boolean('Enabled', 'Whether to send emails'),
		includeDiffs: boolean('Include Diffs', 'Whether to include the changes in emails'),
		recipients: list(
			'Recipients',
			'Comma-separated email addresses, up to 25; recipients outside the team must confirm first',
			{
				entry: stringSchema({
					normalize: (value) =>
						z.string().email().safeParse(value).success
							? value
							: new ValidationFailure('must be an email address, such as ada@example.com'),
				}),
				max: 25,
				placeholder: 'e.g. ada@example.com, bob@example.com',
			},
		),
	},
);

/** The notification by email, or any in the API's form, which is an object for each channel. */
export const notification = field(
	email.property,
	transformSchema((value, context): IDataObject | undefined => {
		const given = fromJson(value);
		const isChannel = (each: unknown) => isRecord(each) && !isBlank(each);
		const fields = isRecord(given) ? Object.entries(given) : [];
		const channels = Object.fromEntries(fields.filter(([, each]) => isChannel(each)));
		const own = Object.fromEntries(fields.filter(([, each]) => !isChannel(each)));
		const read = email.valueSchema.safeParse(isRecord(given) ? own : given);
		if (!read.success) return forwardIssues(read.error, context);
		const sent = { ...(!isBlank(read.data) && { email: read.data }), ...channels };
		return isBlank(sent) ? undefined : (sent as IDataObject);
	}),
);

/** A search needs a goal to judge its results by (https://docs.firecrawl.dev/features/monitoring). */
export function monitorRules(
	request: { targets: Array<{ type: string }>; goal?: string; judgeEnabled?: boolean },
	reject: Reject,
): void {
	const searches = request.targets.some(({ type }) => type === 'search');
	if (searches && request.goal === undefined && request.judgeEnabled !== false) {
		reject(`is required for a Search target, unless 'Judge Changes' is off`, 'goal');
	}
}

/** The events of monitors for triggers (https://docs.firecrawl.dev/webhooks/events). */
export const monitorEvents = (prefix = ''): Choices<string> => ({
	checkCompleted: [`${prefix}Check Completed`, 'Once per check, with its page counts'],
	changed: `${prefix}Page Changed`,
	error: [`${prefix}Page Failed`, 'The page could not be scraped'],
	new: [`${prefix}Page New`, 'First check of the page; in the first check, every page'],
	removed: `${prefix}Page Removed`,
	same: [`${prefix}Page Unchanged`, 'Every unchanged page in every check'],
});

/** The fields that select the events of a monitor; servers may have other events. */
export const monitorEventFields = {
	events: anyKnown(
		'Events',
		'Events that start the workflow',
		unsetIfEmpty(listSchema(stringSchema())),
		{ required: true, default: ['changed', 'new', 'removed'], options: monitorEvents() },
	),
	onlyMeaningful: withDefault(
		boolean(
			'Only Meaningful Changes',
			'Whether a changed page counts only if the change is judged meaningful; requires a goal',
		),
	),
	...visibleWhen(
		{ events: ['checkCompleted'] },
		{
			includePages: withDefault(
				boolean(
					'Include Pages',
					'Whether to include the pages of a completed check, with their changes',
				),
			),
		},
	),
};

/** Whether a page event matters: a change if the judge confirms it, others unless the judge denies it. */
export function matters(event: string, entry: IDataObject): boolean {
	const verdicts = [entry.isMeaningful, fieldOf(entry.judgment, 'meaningful')];
	if (event === 'changed') return verdicts.includes(true);
	const [judged] = verdicts.filter((verdict) => verdict !== undefined && verdict !== null);
	return judged !== false || !['new', 'removed'].includes(event);
}
