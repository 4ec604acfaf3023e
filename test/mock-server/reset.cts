import type { Context } from './context.cjs';

/** Back to the state after the start: accounts, switches, pages, nothing remembered; the clock runs. */
export function reset(context: Context): void {
	context.clock.release();
	Object.assign(context.options, context.initial.options);
	context.site.restore();
	Object.assign(context.site.bulk, context.initial.bulk);
	context.faults.clear();
	context.log.clear();
	context.activity.clear();
	context.feedback.clear();
	context.ledger.clear();
	context.limits.clear();
	context.keyless.clear();
	context.teams.reset();
	context.threats.clear();
	context.tools.clear();
	context.toolRuns.clear();
	context.files.clear();
	context.uploads.clear();
	context.sessions.clear();
	context.jobs.clear();
	context.developer.trouble.clear();
	context.agents.clear();
	context.monitors.clear();
	context.pageJobs.clear();
	context.continuing.clear();
	context.webhooks.clear();
	context.scraper.cache.clear();
	context.scraper.changes.clear();
	context.unsupportedHosts.clear();
}
