import type { Context } from './context.cjs';

/** Back to the state after the start, except for changed pages and settings; the clock runs again. */
export function reset(context: Context): void {
	context.clock.release();
	context.faults.clear();
	context.log.clear();
	context.ledger.clear();
	context.limits.clear();
	context.keyless.clear();
	context.teams.reset();
	context.threats.clear();
	context.files.clear();
	context.jobs.clear();
	context.scraper.cache.clear();
	context.scraper.changes.clear();
	context.unsupportedHosts.clear();
}
