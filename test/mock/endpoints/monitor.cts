import { randomUUID } from 'node:crypto';
import { Cron } from 'croner';
import { z } from 'zod/v4';

import type { Context } from '../context.cjs';
import { notFound } from '../errors.cjs';
import { type Check, checkEstimate, type Monitor } from '../monitors.cjs';
import type { Answer, ApiCall, Endpoints } from '../pipeline.cjs';
import {
	counted,
	domain,
	jobUuid,
	optional,
	parseBody,
	stamps,
	strict,
	url,
	webhookObject,
	whole,
} from '../schemas/fields.cjs';
import { crawlOptions } from '../schemas/jobs.cjs';
import { scrapeOptions } from '../schemas/scrapeOptions.cjs';

/** Whether a cron expression has five parts, and a time zone exists. */
function canRun({ cron, timezone }: { cron: string; timezone: string }): boolean {
	try {
		return new Cron(cron, { timezone, mode: '5-part', paused: true }).nextRun() !== undefined;
	} catch {
		return false;
	}
}

/** When checks run. Whatever plain text says, here it is every hour. */
const schedule = optional({ cron: z.string(), text: z.string().max(128), timezone: z.string() })
	.refine(
		({ cron, text }) => (cron === undefined) !== (text === undefined),
		'Exactly one of cron and text must be given',
	)
	.transform(({ cron = '0 * * * *', timezone = 'UTC' }) => ({ cron, timezone }))
	.refine(canRun, 'Invalid schedule');

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
const createMonitor = more.extend(needed);

/** Body of `PATCH /monitor/{id}`: null clears the goal. */
const updateMonitor = more.extend(
	optional({ ...needed, status: z.enum(['active', 'paused']) }).shape,
);

/** What a team asks of a monitor. */
export type MonitorSettings = Omit<z.output<typeof createMonitor>, 'origin'> & {
	retentionDays: number;
	goal: string | null;
	judgeEnabled: boolean;
};

/** Query string of the lists. */
const listQuery = optional({
	limit: counted(1, 100),
	offset: counted(0),
	skip: counted(0),
	status: z.string(),
});

/** `/monitor…`. */
export function monitorEndpoints(context: Context): Endpoints {
	return {
		'POST /v2/monitor': (call) => create(context, call),
		'GET /v2/monitor': (call) => list(context, call),
		'GET /v2/monitor/:id': (call) => shown(monitorOf(context, call)),
		'PATCH /v2/monitor/:id': (call) => update(context, call),
		'DELETE /v2/monitor/:id': (call) => remove(context, call),
		'POST /v2/monitor/:id/run': (call) => run(context, call),
		'GET /v2/monitor/:id/checks': (call) => checks(context, call),
		'GET /v2/monitor/:id/checks/:checkId': (call) => check(context, call),
	};
}

const shown = (monitor: Monitor): Answer => ({
	body: { success: true, data: monitorView(monitor) },
});

function create(context: Context, call: ApiCall): Answer {
	const request = parseBody(createMonitor, call.body);
	const { goal = null, judgeEnabled = goal !== null, retentionDays = 30, ...rest } = request;
	const settings = { ...rest, goal, judgeEnabled, retentionDays };
	return shown(context.monitors.create(call.team.id, settings));
}

/** A goal that is set turns the judge on, one that is cleared turns it off, unless the request says otherwise. */
function update(context: Context, call: ApiCall): Answer {
	const monitor = monitorOf(context, call);
	const { status = monitor.status, ...change } = parseBody(updateMonitor, call.body);
	const judged = change.goal !== undefined && { judgeEnabled: change.goal !== null };
	const settings: MonitorSettings = { ...monitor.settings, ...judged, ...change };
	context.monitors.update(monitor, settings, status);
	return shown(monitor);
}

function list(context: Context, { query, team }: ApiCall): Answer {
	const { limit = 25, offset = 0 } = parseBody(listQuery, query);
	const page = context.monitors.of(team.id).slice(offset, offset + limit);
	return { body: { success: true, data: page.map(monitorView) } };
}

function remove(context: Context, call: ApiCall): Answer {
	context.monitors.delete(monitorOf(context, call));
	return { body: { success: true } };
}

function run(context: Context, call: ApiCall): Answer {
	const monitor = monitorOf(context, call);
	const begun = context.monitors.begin(monitor);
	const data = checkView(monitor, begun);
	context.monitors.work(monitor, begun, call.entry.id);
	return { body: { success: true, id: begun.id, data } };
}

function checks(context: Context, call: ApiCall): Answer {
	const monitor = monitorOf(context, call);
	const { limit = 25, offset = 0, status } = parseBody(listQuery, call.query);
	const data = context.monitors
		.checksOf(monitor)
		.filter((each) => !status || each.status === status)
		.slice(offset, offset + limit)
		.map((each) => checkView(monitor, each));
	return { body: { success: true, data } };
}

/** `next` is an absolute address, both beside and in `data`; missing on the last page. */
function check(context: Context, call: ApiCall): Answer {
	const monitor = monitorOf(context, call);
	const id = jobUuid(call.params.checkId);
	const found = context.monitors.checksOf(monitor).find((each) => each.id === id);
	if (!found) throw notFound('Monitor check not found.');
	const { limit = 25, skip = 0, status } = parseBody(listQuery, call.query);
	const pages = found.pages.filter((page) => !status || page.status === status);
	const next = new URL(`http://${call.headers.host}/v2/monitor/${monitor.id}/checks/${found.id}`);
	next.searchParams.set('limit', String(limit));
	next.searchParams.set('skip', String(skip + limit));
	if (status) next.searchParams.set('status', status);
	const more = pages.length > skip + limit ? { next: next.href } : {};
	const data = { ...checkView(monitor, found), pages: pages.slice(skip, skip + limit), ...more };
	return { body: { success: true, ...more, data } };
}

function monitorOf({ monitors }: Context, { params, team }: ApiCall): Monitor {
	const id = jobUuid(params.id);
	const monitor = monitors.of(team.id).find((each) => each.id === id);
	if (!monitor) throw notFound('Monitor not found.');
	return monitor;
}

const time = (ms: number | undefined): string | null =>
	ms === undefined ? null : new Date(ms).toISOString();

/** As many as of a check every hour, whatever the schedule. */
const checksPerMonth = 30 * 24;

/** A monitor as the API shows it. */
export function monitorView(monitor: Monitor) {
	const { id, status, settings, nextRunAt, checks: all, createdAt, updatedAt } = monitor;
	const last = all.at(-1);
	return {
		...{ id, status, ...settings },
		webhook: settings.webhook ?? null,
		notification: settings.notification ?? null,
		nextRunAt: time(nextRunAt),
		lastRunAt: time(last?.startedAt),
		currentCheckId: null,
		estimatedCreditsPerMonth: checkEstimate(settings) * checksPerMonth,
		lastCheckSummary: last?.summary ?? null,
		createdAt: time(createdAt),
		updatedAt: time(updatedAt),
	};
}

/** A check without its pages. */
export function checkView(monitor: Monitor, check: Check) {
	const { pages, scheduledFor, startedAt, finishedAt, createdAt, ...facts } = check;
	const targets = startedAt === undefined ? [] : monitor.settings.targets;
	return {
		...facts,
		monitorId: monitor.id,
		reservedCredits: startedAt === undefined ? null : check.estimatedCredits,
		billingStatus: check.actualCredits === null ? 'not_applicable' : 'confirmed',
		targetResults: targets.map(({ id, type }) => ({ targetId: id, type })),
		scheduledFor: time(scheduledFor),
		startedAt: time(startedAt),
		finishedAt: time(finishedAt),
		summary: check.summary,
		notificationStatus: null,
		createdAt: time(createdAt),
		updatedAt: time(finishedAt ?? startedAt ?? createdAt),
	};
}
