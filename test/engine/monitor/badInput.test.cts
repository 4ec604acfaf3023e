import type { INodeParameters } from 'n8n-workflow';
import { guides, least, picked, tides, unknownId, useMonitors } from './monitors.cjs';

interface BadInput {
	operation?: string;
	set: INodeParameters;
	/** What the message says, the field by its name in the editor first. */
	says: string[];
}

const on = (operation: string, set: INodeParameters, ...says: string[]): BadInput => ({
	operation,
	set,
	says,
});
const create = (set: INodeParameters, ...says: string[]): BadInput => ({ set, says });
const also = (set: INodeParameters, ...says: string[]): BadInput =>
	create({ additionalFields: set }, ...says);
const schedule = (set: INodeParameters, ...says: string[]): BadInput =>
	create({ schedule: set }, 'Schedule', ...says);
const cron = (expression: string, ...says: string[]): BadInput =>
	schedule({ cron: expression }, 'Cron', ...says);
const target = (set: INodeParameters, ...says: string[]): BadInput =>
	create({ goal: 'Tides', targets: { values: [set] } }, 'Targets > entry 1', ...says);
const search = (options: INodeParameters, ...says: string[]): BadInput =>
	target({ type: 'search', queries: 'tide', options }, ...says);
const email = (set: INodeParameters, ...says: string[]): BadInput =>
	also({ notification: { email: set } }, 'Notification > Email', ...says);
const webhook = (set: INodeParameters, ...says: string[]): BadInput =>
	also({ webhook: set }, 'Webhook', ...says);
const update = (set: INodeParameters, ...says: string[]): BadInput =>
	on('update', { monitorId: picked(unknownId), additionalFields: set }, ...says);
const many = (length: number, entry: (index: number) => string) =>
	Array.from({ length }, (_, index) => entry(index));

const bad: Record<string, BadInput> = {
	'no name': create({ name: '={{ "" }}' }, 'Name', 'required'),
	'a name that is missing': create({ name: '={{ $json.absent }}' }, 'Name', 'required'),
	'a blank name': create({ name: '={{ "  " }}' }, 'Name', 'blank'),
	'a name of 257 characters': create({ name: 'x'.repeat(257) }, 'Name', '256', '257'),
	'no schedule': create({ schedule: {} }, 'Schedule', `needs 'Cron' or 'Text'`),
	'a time zone alone': schedule({ timezone: 'UTC' }, `needs 'Cron' or 'Text'`),
	'cron and text at once': schedule({ cron: '0 9 * * *', text: 'hourly' }, 'not both'),
	'cron of six fields': cron('0 0 9 * * 1', 'five fields', 'not 0 0 9 * * 1'),
	'cron by a nickname': cron('@daily', 'five fields', '@daily'),
	'cron with an hour 24': cron('0 24 * * *', 'five fields'),
	'cron every minute': cron('* * * * *', 'every 5 minutes'),
	'cron every 4 minutes': cron('*/4 * * * *', 'every 5 minutes'),
	'cron too often around the hour': cron('0,57 * * * *', 'every 5 minutes'),
	'a schedule of 129 characters': schedule({ text: 'x'.repeat(129) }, 'Text', '128', '129'),
	'a time zone that does not exist': schedule(
		{ text: 'hourly', timezone: 'Mars/Olympus' },
		'Time Zone',
		'Europe/Berlin',
		'Mars/Olympus',
	),
	'an offset as time zone': schedule({ text: 'hourly', timezone: '+02:00' }, 'Time Zone', '+02:00'),
	'no targets': create({ targets: {} }, 'Targets', 'required'),
	'51 targets': create(
		{ targets: { values: many(51, () => tides).map((urls) => ({ type: 'scrape', urls })) } },
		'Targets',
		'50',
		'not 51',
	),
	'a target of a type that does not exist': target(
		{ type: '={{ "watch" }}', urls: tides },
		'Type',
		'crawl, scrape, search',
		'watch',
	),
	'pages without address': target({ type: 'scrape' }, 'URLs', 'required'),
	'pages of blanks': target({ type: 'scrape', urls: ' , ' }, 'URLs', 'not 0'),
	'a page of another scheme': target(
		{ type: 'scrape', urls: `${tides}, ftp://a.example` },
		'URLs > entry 2',
		'http',
	),
	'a page without host': target({ type: 'scrape', urls: 'tides' }, 'URLs > entry 1', 'tides'),
	'a wait beyond half the timeout': target(
		{ type: 'scrape', urls: tides, scrapeOptions: { waitFor: 40_000 } },
		'Scrape Options > Wait For',
		'half',
	),
	'change tracking without Markdown': target(
		{ type: 'scrape', urls: tides, formats: ['changeTracking'] },
		"entry 1 > Formats'",
		'Markdown',
	),
	'a question without words': target(
		{ type: 'crawl', url: guides, formats: ['question'] },
		"entry 1 > Question' is required",
	),
	'a site without address': target({ type: 'crawl' }, 'URL', 'required'),
	'a site of another scheme': target({ type: 'crawl', url: 'mailto:a@b.example' }, 'URL', 'http'),
	'a crawl of no pages': target(
		{ type: 'crawl', url: guides, crawlOptions: { limit: 0 } },
		'Crawl Options > Limit',
		'not 0',
	),
	'a delay of 61 seconds': target(
		{ type: 'crawl', url: guides, crawlOptions: { delay: 61 } },
		'Crawl Options > Delay',
		'60 seconds',
	),
	'no delay': target(
		{ type: 'crawl', url: guides, crawlOptions: { delay: 0 } },
		'Crawl Options > Delay',
		'more than 0',
	),
	'a path that is no regular expression': target(
		{ type: 'crawl', url: guides, crawlOptions: { includePaths: '/a\n(' } },
		'Crawl Options > Include Paths > entry 2',
		'regular expression',
	),
	'no queries': target({ type: 'search' }, 'Queries', 'required'),
	'13 queries': target(
		{ type: 'search', queries: many(13, String).join('\n') },
		'Queries',
		'12',
		'not 13',
	),
	'a query of 257 characters': target(
		{ type: 'search', queries: `tide\n${'x'.repeat(257)}` },
		'Queries > entry 2',
		'256',
		'257',
	),
	'a window that does not exist': search({ searchWindow: '={{ "2h" }}' }, 'Search Window', '2h'),
	'no results': search({ maxResults: 0 }, 'Max Results', 'from 1 to 50', 'not 0'),
	'51 results': search({ maxResults: 51 }, 'Max Results', 'not 51'),
	'domains to search in and to leave out': search(
		{ includeDomains: 'a.example', excludeDomains: 'b.example' },
		'Include Domains',
		`together with 'Exclude Domains'`,
	),
	'a domain with a path': search(
		{ includeDomains: 'a.example/b' },
		'Include Domains > entry 1',
		'path',
	),
	'51 domains': search(
		{ excludeDomains: many(51, (index) => `a${index}.example`).join() },
		'Exclude Domains',
		'50',
		'not 51',
	),
	'a target ID that is none': search({ id: 'first' }, 'Target ID', 'first'),
	'a search without a goal': create(
		{ targets: { values: [{ type: 'search', queries: 'tide' }] } },
		'Goal',
		'Search target',
		`'Judge Changes' is off`,
	),
	'a search without a goal, with a judge': create(
		{
			targets: { values: [{ type: 'search', queries: 'tide' }] },
			additionalFields: { judgeEnabled: true },
		},
		'Goal',
		'required',
	),
	'a goal of 2001 characters': create({ goal: 'x'.repeat(2001) }, 'Goal', '2,000', '2,001'),
	'a judge in words': also({ judgeEnabled: '={{ "maybe" }}' }, 'Judge Changes', 'maybe'),
	'no retention': also({ retentionDays: 0 }, 'Retention', 'from 1 to 365 days', 'not 0'),
	'a retention of 366 days': also({ retentionDays: 366 }, 'Retention', 'not 366'),
	'half a day': also({ retentionDays: 1.5 }, 'Retention', 'whole number'),
	'a webhook without address': webhook({ events: ['monitor.page'] }, 'URL', 'required'),
	'a webhook of another scheme': webhook({ url: 'ftp://a.example' }, 'URL', 'http'),
	'a recipient that is none': email(
		{ enabled: true, recipients: 'ada@a.example, ada' },
		'Recipients > entry 2',
		'email address',
	),
	'26 recipients': email(
		{ recipients: many(26, (index) => `a${index}@b.example`).join() },
		'Recipients',
		'25',
		'not 26',
	),
	'an email switch in words': email({ enabled: '={{ "perhaps" }}' }, 'Enabled', 'perhaps'),
	'JSON that is none': also({ requestJson: '{"goal":' }, 'Request (JSON)', 'not valid JSON'),
	'JSON that is a list': also({ requestJson: '[]' }, 'Request (JSON)', 'JSON object'),
	'a new monitor that is paused': also({ requestJson: '{"status": "paused"}' }, `'status'`),
	'a change of nothing': update({}, 'Update Fields'),
	'a change of the name to too long a one': update({ name: 'x'.repeat(257) }, 'Name', '257'),
	'a change to a status that cannot be set': update(
		{ status: '={{ "deleted" }}' },
		'Status',
		'active, paused',
	),
	'a change of the time zone alone': update({ schedule: { timezone: 'UTC' } }, 'Schedule', 'Cron'),
	'a change to no targets': update({ requestJson: '{"targets": []}' }, 'Targets', 'not 0'),
	'a goal set and cleared at once': update(
		{ goal: 'Tides', clearFields: ['goal'] },
		'Goal',
		'set and cleared at once',
	),
	'a webhook cleared, which the service does not': update(
		{ clearFields: '={{ ["webhook"] }}' },
		'Webhook',
		'cannot be cleared',
	),
	'a webhook cleared as JSON': update({ requestJson: '{"webhook": null}' }, 'cannot be cleared'),
	'what cannot be cleared': update({ clearFields: ['name'] }, 'Fields to Clear', 'name'),
	'another monitor in the JSON': update(
		{ requestJson: `{"monitorId": "${unknownId}"}` },
		`no field 'monitorId'`,
	),
	'a change of no monitor': on(
		'update',
		{ monitorId: picked('={{ $json.absent }}'), additionalFields: { status: 'paused' } },
		'Monitor',
		'required',
	),
	'a monitor by its name': on(
		'get',
		{ monitorId: picked('Spring tides') },
		'Monitor',
		'must be an ID',
	),
	'a monitor that climbs the path': on(
		'get',
		{ monitorId: picked('../team') },
		'Monitor',
		'../team',
	),
	'no monitor': on('run', { monitorId: picked('={{ "" }}') }, 'Monitor', 'required'),
	'a monitor to delete by a blank': on(
		'delete',
		{ monitorId: picked('={{ " " }}') },
		'Monitor',
		'blank',
	),
	'a limit of 0': on('getAll', { limit: 0 }, 'Limit', 'not 0'),
	'a limit of 1.5': on('getAll', { limit: 1.5 }, 'Limit', 'whole number'),
	'a limit of no checks': on(
		'getChecks',
		{ monitorId: picked(unknownId), limit: 0 },
		'Limit',
		'not 0',
	),
	'checks in a state that does not exist': on(
		'getChecks',
		{ monitorId: picked(unknownId), additionalFields: { status: '={{ "done" }}' } },
		'Status',
		'skipped_overlap',
		'done',
	),
	'checks of no monitor': on(
		'getChecks',
		{ monitorId: picked('={{ null }}') },
		'Monitor',
		'required',
	),
	'a check without ID': on(
		'getCheck',
		{ monitorId: picked(unknownId), checkId: '={{ $json.absent }}' },
		'Check ID',
		'required',
	),
	'a check whose ID climbs the path': on(
		'getCheck',
		{ monitorId: picked(unknownId), checkId: '../run' },
		'Check ID',
		'../run',
	),
	'a limit of no pages': on(
		'getCheck',
		{ monitorId: picked(unknownId), checkId: unknownId, limit: 0 },
		'Limit',
		'not 0',
	),
	'pages in a state that does not exist': on(
		'getCheck',
		{
			monitorId: picked(unknownId),
			checkId: unknownId,
			additionalFields: { status: '={{ "alert" }}' },
		},
		'Page Status',
		'removed',
		'alert',
	),
};

describe('bad input to an operation on monitors', () => {
	const monitors = useMonitors();

	it.each(Object.entries(bad))(
		'is refused before any request: %s',
		async (_name, { operation = 'create', set, says }) => {
			const run = await monitors.run(operation, {
				...(operation === 'create' && least),
				...set,
			});

			expect(run.status).toBe('error');
			for (const words of says) expect(run.error?.message).toContain(words);
			expect(run.error?.message).toContain('[item 0]');
			expect(run.error?.description).toBe('Nothing was sent and nothing was charged.');
			expect(monitors.requests).toEqual([]);
		},
	);

	it('stops before the first request when one item of many is bad', async () => {
		const run = await monitors.run(
			'create',
			{ ...least, schedule: { text: '={{ $json.when }}' } },
			{ input: [{ when: 'hourly' }, { when: '' }] },
		);

		expect(run.error?.message).toBe("'Schedule' needs 'Cron' or 'Text' [item 1]");
		expect(monitors.requests).toEqual([]);
	});
});
