import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

import { domain, optional, stamps, strict, url, webhookObject, whole } from './fields.cjs';
import { crawlOptions } from './jobs.cjs';
import { scrapeOptions } from './scrapeOptions.cjs';

/** When checks run. Whatever plain text says, here it is every hour. */
const schedule = optional({ cron: z.string(), text: z.string().max(128), timezone: z.string() })
	.refine(
		({ cron, text }) => (cron === undefined) !== (text === undefined),
		'Exactly one of cron and text must be given',
	)
	.transform(({ cron = '0 * * * *', timezone = 'UTC' }) => ({ cron, timezone }));

const id = z.uuid().default(() => randomUUID());

const targets = z
	.array(
		z.discriminatedUnion('type', [
			strict({
				id,
				type: z.literal('scrape'),
				urls: z.array(url).min(1),
				scrapeOptions: scrapeOptions.optional(),
			}),
			strict({
				id,
				type: z.literal('crawl'),
				url,
				crawlOptions: crawlOptions.optional(),
				scrapeOptions: scrapeOptions.optional(),
			}),
			strict({
				id,
				type: z.literal('search'),
				queries: z.array(z.string().max(256)).min(1).max(12),
				searchWindow: z.enum(['5m', '15m', '1h', '6h', '24h', '7d']).default('24h'),
				includeDomains: z.array(domain).max(50).optional(),
				excludeDomains: z.array(domain).max(50).optional(),
				maxResults: whole(1, 50).default(10),
			}),
		]),
	)
	.min(1)
	.max(50);
/** What a monitor looks at. */
export type MonitorTarget = z.output<typeof targets>[number];

/** One without channels is none. */
const notification = optional({
	email: optional({
		enabled: z.boolean(),
		recipients: z.array(z.email()).max(25),
		includeDiffs: z.boolean(),
	}),
	slack: optional({ enabled: z.boolean(), channelId: z.string().min(1) }),
}).transform((channels) => (Object.keys(channels).length > 0 ? channels : undefined));

const needed = { name: z.string().min(1).max(256), schedule, targets };

/** `origin`: the official client's version 4.42.0 stamps these bodies too, though the service refuses the key. */
const more = optional({
	webhook: webhookObject(['monitor.page', 'monitor.check.completed']),
	notification,
	retentionDays: whole(1, 365),
	goal: z.string().min(1).max(2000).nullable(),
	judgeEnabled: z.boolean(),
	origin: stamps.origin,
});

/** Body of `POST /monitor`. */
export const createMonitor = more.extend(needed);

/** Body of `PATCH /monitor/{id}`: null clears the goal. */
export const updateMonitor = more.extend(
	optional({ ...needed, status: z.enum(['active', 'paused']) }).shape,
);

/** What a team asks of a monitor. */
export type MonitorSettings = Omit<z.output<typeof createMonitor>, 'origin'> & {
	retentionDays: number;
	goal: string | null;
	judgeEnabled: boolean;
};

export const runMonitor = strict({ origin: stamps.origin });
