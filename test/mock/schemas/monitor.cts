import { z } from 'zod/v4';

import { scheduleFault } from '../monitors.cjs';
import { domain, refuse, stamps, strict, url, webhookObject, whole } from './fields.cjs';
import { crawlFields } from './jobs.cjs';
import { scrapeOptions } from './scrapeOptions.cjs';

/** When a monitor's checks run; plain text is turned into cron when it is read. */
export interface Schedule {
	cron: string;
	timezone: string;
}

const schedule = strict({
	cron: z.string().optional(),
	text: z.string().max(128).optional(),
	timezone: z.string().default('UTC'),
}).transform(({ cron, text, timezone }, check): Schedule => {
	const read = { cron: cron ?? cronOf(text ?? '') ?? '', timezone };
	const fault =
		(cron === undefined) === (text === undefined)
			? 'Exactly one of cron and text must be given'
			: read.cron === ''
				? 'Not a schedule that is understood'
				: scheduleFault(read);
	if (fault) refuse(check, fault, text === undefined ? 'cron' : 'text');
	return read;
});

/** The cron of a schedule in words, the few that this server knows; undefined for others. */
function cronOf(text: string): string | undefined {
	const phrase = text.trim().toLowerCase();
	if (phrase === 'hourly') return '0 * * * *';
	const [, minutes] = /^every (\d+) minutes$/.exec(phrase) ?? [];
	if (minutes) return `*/${minutes} * * * *`;
	const [, hour, half] = /^daily at (\d|1[0-2])(am|pm)$/.exec(phrase) ?? [];
	return hour && `0 ${(Number(hour) % 12) + (half === 'pm' ? 12 : 0)} * * *`;
}

const id = z.string().uuid().optional();

/** A crawl's own fields. */
const crawlOptions = crawlFields.omit({
	url: true,
	scrapeOptions: true,
	webhook: true,
	zeroDataRetention: true,
	origin: true,
	integration: true,
});

const scrapeTarget = strict({
	id,
	type: z.literal('scrape'),
	urls: z.array(z.union([url, strict({ url }).transform((page) => page.url)])).min(1),
	scrapeOptions: scrapeOptions.optional(),
});
const crawlTarget = strict({
	id,
	type: z.literal('crawl'),
	url,
	crawlOptions: crawlOptions.optional(),
	scrapeOptions: scrapeOptions.optional(),
});
const searchTarget = strict({
	id,
	type: z.literal('search'),
	queries: z
		.array(
			z
				.string()
				.max(256)
				.refine((text) => text.trim() !== '', 'Must not be blank'),
		)
		.min(1)
		.max(12),
	searchWindow: z.enum(['5m', '15m', '1h', '6h', '24h', '7d']).default('24h'),
	includeDomains: z.array(domain).max(50).optional(),
	excludeDomains: z.array(domain).max(50).optional(),
	maxResults: z.number().int().min(1).max(50).default(10),
});

const targets = z
	.array(z.discriminatedUnion('type', [scrapeTarget, crawlTarget, searchTarget]))
	.min(1)
	.max(50);
/** What a monitor looks at, under an ID of its own. */
export type MonitorTarget = z.output<typeof targets>[number] & { id: string };

const notification = strict({
	email: strict({
		enabled: z.boolean().default(false),
		recipients: z.array(z.string().email()).max(25).optional(),
		includeDiffs: z.boolean().default(false),
	}).optional(),
	slack: strict({
		enabled: z.boolean().optional(),
		channelId: z.string().min(1).optional(),
	}).optional(),
});

/** `origin`: the official client's version 4.42.0 stamps these bodies too, though the service refuses the key. */
const fields = {
	name: z.string().min(1).max(256),
	schedule,
	targets,
	webhook: webhookObject(['monitor.page', 'monitor.check.completed']),
	notification,
	retentionDays: whole(1, 365),
	goal: z.string().min(1).max(2000).nullable(),
	judgeEnabled: z.boolean(),
	origin: stamps.origin,
};

export const createMonitor = strict({
	...fields,
	retentionDays: whole(1, 365).default(30),
}).partial({ webhook: true, notification: true, goal: true, judgeEnabled: true });
export type CreateMonitor = z.output<typeof createMonitor>;

/** What a team asks of a monitor. */
export type MonitorSettings = Omit<CreateMonitor, 'targets'> & {
	targets: MonitorTarget[];
	goal: string | null;
	judgeEnabled: boolean;
};

/** Body of `PATCH /monitor/{id}`: null clears the goal, an object without channels the notification, and nothing the webhook. */
export const updateMonitor = strict({
	...fields,
	notification: notification.transform((channels) =>
		Object.keys(channels).length > 0 ? channels : null,
	),
	status: z.enum(['active', 'paused']),
})
	.partial()
	.refine((change) => Object.keys(change).length > 0, 'At least one field must be given');

export const runMonitor = strict({ origin: stamps.origin });

const checkStatus = z.enum([
	'queued',
	'running',
	'completed',
	'failed',
	'partial',
	'skipped_overlap',
	'skipped_no_credits',
]);
export type CheckStatus = z.infer<typeof checkStatus>;

const pageStatus = z.enum(['same', 'new', 'changed', 'removed', 'error']);

export type PageStatus = z.infer<typeof pageStatus>;

const limit = whole(1, 100).default(25);
const offset = whole(0).default(0);

export const monitorList = strict({ limit, offset });
export const checkList = strict({ limit, offset, status: checkStatus.optional() });
export const checkPages = strict({ limit, skip: offset, status: pageStatus.optional() });
