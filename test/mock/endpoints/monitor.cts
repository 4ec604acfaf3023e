import { z } from 'zod/v4';

import type { Context } from '../context.cjs';
import { ApiError, notFound } from '../errors.cjs';
import { type Check, checkEstimate, type Monitor } from '../monitors.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { counted, jobUuid, optional, parseBody } from '../schemas/fields.cjs';
import {
	createMonitor,
	type MonitorSettings,
	runMonitor,
	updateMonitor,
} from '../schemas/monitor.cjs';

/** Query string of the lists. */
const listQuery = optional({
	limit: counted(1, 100),
	offset: counted(0),
	skip: counted(0),
	status: z.string(),
});

/** `/monitor…`. */
export function monitorEndpoints(context: Context): ApiEndpoint[] {
	return endpoints(
		{ scope: 'monitor', rate: 'monitor' },
		['POST /v2/monitor', (call) => create(context, call)],
		['GET /v2/monitor', (call) => list(context, call)],
		['GET /v2/monitor/:id', (call) => shown(monitorOf(context, call))],
		['PATCH /v2/monitor/:id', (call) => update(context, call)],
		['DELETE /v2/monitor/:id', (call) => remove(context, call)],
		['POST /v2/monitor/:id/run', (call) => run(context, call)],
		['GET /v2/monitor/:id/checks', (call) => checks(context, call)],
		['GET /v2/monitor/:id/checks/:checkId', (call) => check(context, call)],
	);
}

const shown = (monitor: Monitor): Answer => ({
	body: { success: true, data: monitorView(monitor) },
});

function create(context: Context, call: ApiCall): Answer {
	const request = parseBody(createMonitor, call.body);
	const { goal = null, judgeEnabled = goal !== null, retentionDays = 30, ...rest } = request;
	const settings = { ...rest, goal, judgeEnabled, retentionDays };
	return shown(context.monitors.create(call.caller.team.id, settings));
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

function list(context: Context, { query, caller }: ApiCall): Answer {
	const { limit = 25, offset = 0 } = parseBody(listQuery, query);
	const page = context.monitors.of(caller.team.id).slice(offset, offset + limit);
	return { body: { success: true, data: page.map(monitorView) } };
}

function remove(context: Context, call: ApiCall): Answer {
	context.monitors.delete(monitorOf(context, call));
	return { body: { success: true } };
}

function run(context: Context, call: ApiCall): Answer {
	parseBody(runMonitor, call.body);
	const monitor = monitorOf(context, call);
	if (monitor.status === 'paused') {
		throw new ApiError(409, { error: 'The monitor is paused.', id: monitor.id });
	}
	const started = context.monitors.run(monitor, call.entry.id);
	return { body: { success: true, id: started.id, data: checkView(monitor, started) } };
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

function monitorOf({ monitors }: Context, { params, caller }: ApiCall): Monitor {
	const id = jobUuid(params.id);
	const monitor = monitors.of(caller.team.id).find((each) => each.id === id);
	if (!monitor) throw notFound('Monitor not found.');
	return monitor;
}

const time = (ms: number | undefined): string | null =>
	ms === undefined ? null : new Date(ms).toISOString();

/** As many as of a check every hour, whatever the schedule. */
const checksPerMonth = 30 * 24;

/** A monitor as the API shows it. */
export function monitorView(monitor: Monitor) {
	const { id, status, settings, nextRunAt, last, current, createdAt, updatedAt } = monitor;
	return {
		...{ id, status, ...settings },
		webhook: settings.webhook ?? null,
		notification: settings.notification ?? null,
		nextRunAt: time(nextRunAt),
		lastRunAt: time(last?.startedAt),
		currentCheckId: current?.id ?? null,
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
