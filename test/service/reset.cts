import type { Context } from './context.cjs';

/** Back to the state after the start: accounts, switches, pages, nothing remembered; the clock runs. */
export function reset(context: Context): void {
	context.clock.release();
	Object.assign(context.options, context.initial.options);
	for (const { url, title, description, markdown, published } of context.initial.pages) {
		const page = context.site.find(url);
		const same =
			page?.title === title &&
			page.description === description &&
			page.markdown === markdown &&
			page.published === published;
		if (!same) context.site.update(url, { title, description, markdown, published });
	}
	context.faults.clear();
	context.log.clear();
	context.ledger.clear();
	context.limits.clear();
	context.keyless.clear();
	context.teams.reset();
	context.threats.clear();
	context.tools.degraded = false;
	context.files.clear();
	context.jobs.clear();
	context.developer.trouble.clear();
	context.agents.clear();
	context.webhooks.clear();
	context.scraper.cache.clear();
	context.scraper.changes.clear();
	context.unsupportedHosts.clear();
}
