import type { Context } from './context.cjs';

interface Clearable {
	clear(): void;
}

const isClearable = (part: unknown): part is Clearable =>
	typeof Reflect.get(Object(part), 'clear') === 'function';

/** Back to the state after the start: accounts, switches, pages, nothing remembered; the clock runs. */
export function reset(context: Context): void {
	context.clock.release();
	Object.assign(context.options, context.initial.options);
	context.site.restore();
	Object.assign(context.site.bulk, context.initial.bulk);
	for (const part of Object.values(context)) if (isClearable(part)) part.clear();
	context.teams.reset();
	context.scraper.cache.clear();
	context.scraper.changes.clear();
}
