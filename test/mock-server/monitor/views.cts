import { summaryOf, type Check, type Monitor } from './monitor.cjs';
import { monthEstimate } from './price.cjs';

const time = (ms: number | undefined): string | null =>
	ms === undefined ? null : new Date(ms).toISOString();

/** A monitor as the API shows it. */
export function monitorView(monitor: Monitor, now: number): Record<string, unknown> {
	const { id, status, settings, nextRunAt, lastRunAt, current, lastCheckSummary } = monitor;
	const { name, schedule, targets, webhook, notification, retentionDays, goal, judgeEnabled } =
		settings;
	const recipients = notification?.email?.recipients;
	return {
		id,
		name,
		status,
		schedule,
		nextRunAt: time(nextRunAt),
		lastRunAt: time(lastRunAt),
		currentCheckId: current?.id ?? null,
		targets,
		webhook: webhook ?? null,
		notification: notification ?? null,
		...(recipients && {
			emailRecipientSubscriptions: recipients.map((email) => ({
				email,
				status: 'pending',
				source: 'opt_in',
				confirmationEmailSent: true,
			})),
		}),
		retentionDays,
		estimatedCreditsPerMonth: monthEstimate(settings, now),
		lastCheckSummary: lastCheckSummary ?? null,
		goal,
		judgeEnabled,
		createdAt: time(monitor.createdAt),
		updatedAt: time(monitor.updatedAt),
	};
}

/** A check without its pages. */
export function checkView(monitor: Monitor, check: Check): Record<string, unknown> {
	const { pages, scheduledFor, startedAt, finishedAt, createdAt, updatedAt, ...facts } = check;
	return {
		...facts,
		monitorId: monitor.id,
		scheduledFor: time(scheduledFor),
		startedAt: time(startedAt),
		finishedAt: time(finishedAt),
		summary: summaryOf(pages),
		notificationStatus: null,
		createdAt: time(createdAt),
		updatedAt: time(updatedAt),
	};
}
